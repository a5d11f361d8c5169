import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { Server } from '#contract/servers.ts'
import { Flags } from '#web/features/servers/flags.tsx'
import { lookOf } from '#web/features/servers/listing/look.ts'
import { Players } from '#web/features/servers/players.tsx'
import { ServerTile } from '#web/features/servers/server-tile.tsx'
import { lastAnnounceOf, statusOf } from '#web/features/servers/status.ts'
import { StatusPill } from '#web/features/servers/status-pill.tsx'
import { adminUserOptions } from '#web/features/users/admin/admin-user.api.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'

const GRID = 'sm:grid sm:grid-cols-[minmax(0,1fr)_auto] sm:items-center sm:gap-4 lg:grid-cols-[minmax(200px,1fr)_190px_104px_120px]'

/** The servers of one person, each a step away from its page. */
export function AdminUserServersPage() {
  const { user_id } = useParams({ strict: false }) as { user_id: string }
  const { data: user } = useSuspenseQuery(adminUserOptions(user_id))
  const name = user.discord.username
  useTitle(`Servers of ${name}`)
  if (user.masterListTokens.length === 0) {
    return <EmptyState title="No servers">{name} has not registered a server, or has handed them all on.</EmptyState>
  }
  return (
    <section aria-label={`Servers of ${name}`} className="card overflow-hidden">
      <div aria-hidden="true" className={`border-b border-line px-4 py-2.5 text-12 text-ink-3 max-lg:hidden ${GRID}`}>
        <span>Server</span>
        <span>Status</span>
        <span>Players</span>
        <span>Last announce</span>
      </div>
      <ul className="divide-y divide-line">
        {user.masterListTokens.map((server) => (
          <Row key={server.public_id} server={server} />
        ))}
      </ul>
    </section>
  )
}

function Row({ server }: { server: Server }) {
  const last = lastAnnounceOf(server)
  // Why it is not on the list matters most to whoever looks after it.
  const { reason } = statusOf(server)
  return (
    <li className={`relative px-4 py-3.5 transition-colors duration-100 hover:bg-surface-2/50 lg:py-2 ${GRID}`}>
      <div className="flex min-w-0 items-center gap-3">
        <ServerTile name={server.name} iconUrl={lookOf(server).iconUrl} />
        <div className="min-w-0">
          <div className="flex items-center gap-1.5">
            <Link
              to={`/admin/servers/${server.public_id}` as string}
              title={server.name}
              className="truncate font-medium text-ink-1 after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:rounded-6 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
            >
              {server.name}
            </Link>
            <Flags server={server} />
          </div>
          <div className="truncate text-12 text-ink-3" title={reason === '' ? undefined : reason}>
            <span className="font-mono">{server.public_id}</span>
            {reason !== '' && <> · {reason}</>}
          </div>
        </div>
      </div>
      <div className="mt-3 flex items-center justify-between gap-3 sm:mt-0 sm:justify-end lg:justify-start">
        <span className="relative">
          <StatusPill server={server} />
        </span>
        <span className="text-13 lg:hidden">
          <Players live={server.live} />
        </span>
      </div>
      <div className="hidden text-13 lg:block">
        <Players live={server.live} />
      </div>
      <div className="relative hidden text-13 text-ink-2 lg:block">
        {last === null ? <span className="text-ink-3">never</span> : <TimeAgo at={last} />}
      </div>
    </li>
  )
}
