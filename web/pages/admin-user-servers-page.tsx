import { useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Fullness } from '#web/features/servers/admin/fullness.tsx'
import { ServerColumns, ServerRow } from '#web/features/servers/server-row.tsx'
import { adminUserOptions } from '#web/features/users/admin/admin-user.api.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'

/** The servers of one person, each a step away from its page, which has all that an administrator does with it. */
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
      <ServerColumns />
      <ul className="divide-y divide-line">
        {user.masterListTokens.map((server) => (
          <ServerRow
            key={server.public_id}
            server={server}
            graph={<Fullness live={server.live} />}
            link={{ to: '/admin/servers/$server_id', params: { server_id: server.public_id } }}
            menu={null}
          />
        ))}
      </ul>
    </section>
  )
}
