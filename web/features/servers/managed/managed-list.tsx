import type { ReactNode } from 'react'
import type { Server } from '#contract/servers.ts'
import { PermissionChips } from './permission-chips.tsx'
import { Avatar } from '#web/features/session/avatar.tsx'
import type { ManagedGroup } from './managed-groups.ts'
import { ServerRow } from '#web/features/servers/server-row.tsx'

interface ManagedListProps {
  group: ManagedGroup
  head: ReactNode
  graphOf: (server: Server) => ReactNode
}

/** One owner's servers under the owner's name, with what one may do with them. */
export function ManagedList({ group: { owner, permissions, servers }, head, graphOf }: ManagedListProps) {
  const { username } = owner.discord
  const id = `owner-${owner.id}`
  return (
    <section aria-labelledby={id} className="mt-6">
      <div className="mb-2 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 id={id} className="flex min-w-0 items-center gap-2 text-14">
          <Avatar person={owner.discord} size={24} />
          <span className="min-w-0 truncate" title={username}>
            <span className="text-ink-3">Managed for </span>
            <span className="font-medium">{username}</span>
          </span>
        </h2>
        <PermissionChips permissions={permissions} />
      </div>
      {servers.length === 0 ? (
        <p className="rounded-10 border border-dashed border-line px-4 py-3.5 text-13 text-ink-2">
          {username} has no server yet. The first one appears here by itself.
        </p>
      ) : (
        <div role="table" aria-labelledby={id} className="card overflow-hidden">
          {head}
          <div role="rowgroup" className="divide-y divide-line">
            {servers.map((server) => (
              <ServerRow key={server.public_id} server={server} graph={graphOf(server)} />
            ))}
          </div>
        </div>
      )}
    </section>
  )
}
