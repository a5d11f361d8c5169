import { Fullness } from '#web/features/servers/admin/fullness.tsx'
import { ServerColumns, ServerRow } from '#web/features/servers/server-row.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { useAdminUser } from './use-admin-user.ts'

export function AdminUserServersPage() {
  const user = useAdminUser('Servers')
  const name = user.discord.username
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
