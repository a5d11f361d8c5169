import { use } from 'react'
import { m } from '#messages'
import { PlayersMeter } from '#web/features/servers/admin/players-meter.tsx'
import { SERVER_COLUMNS, ServerCells } from '#web/features/servers/list/server-columns.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { DataTable } from '#web/ui/table/data-table.tsx'
import { useListTable } from '#web/ui/table/use-list-table.ts'
import { useAdminUser } from './use-admin-user.ts'

export function AdminUserServersPage() {
  const user = useAdminUser(m.nav_servers())
  const cells = use(ServerCells)
  const table = useListTable({
    rows: user.masterListTokens,
    columns: SERVER_COLUMNS,
    idOf: ({ public_id: id }) => id,
    nameOf: ({ name }) => name,
  })
  const name = user.discord.username
  if (user.masterListTokens.length === 0) {
    return <EmptyState title={m.user_page_servers_none()}>{m.user_page_servers_none_hint({ user: name })}</EmptyState>
  }
  return (
    <ServerCells
      value={{
        ...cells,
        graphOf: ({ live }) => <PlayersMeter live={live} />,
        linkOf: ({ public_id: server_id }) => ({ to: '/admin/servers/$server_id', params: { server_id } }),
      }}
    >
      <DataTable table={table} label={m.user_page_servers({ user: name })} header="wide" />
    </ServerCells>
  )
}
