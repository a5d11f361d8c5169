import { m } from '#messages'
import { PlayersMeter } from '#web/features/servers/admin/players-meter.tsx'
import { ServerColumns } from '#web/features/servers/list/server-columns.tsx'
import { ServerRow } from '#web/features/servers/server-row.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { useAdminUser } from './use-admin-user.ts'

export function AdminUserServersPage() {
  const user = useAdminUser(m.nav_servers())
  const name = user.discord.username
  if (user.masterListTokens.length === 0) {
    return <EmptyState title={m.user_page_servers_none()}>{m.user_page_servers_none_hint({ user: name })}</EmptyState>
  }
  return (
    <div role="table" aria-label={m.user_page_servers({ user: name })} className="card relative overflow-hidden">
      <div role="rowgroup">
        <ServerColumns />
      </div>
      <div role="rowgroup">
        {user.masterListTokens.map((server) => (
          <ServerRow
            key={server.public_id}
            server={server}
            graph={<PlayersMeter live={server.live} />}
            link={{ to: '/admin/servers/$server_id', params: { server_id: server.public_id } }}
            menu={null}
          />
        ))}
      </div>
    </div>
  )
}
