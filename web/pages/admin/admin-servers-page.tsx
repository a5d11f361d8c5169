import { useQuery } from '@tanstack/react-query'
import type { AdminServer } from '#contract/servers/servers-admin.ts'
import { m } from '#messages'
import { ServerPanel } from '#web/features/servers/admin/server-panel.tsx'
import { BulkBanServers } from '#web/features/servers/admin/ban-servers.tsx'
import { adminServersOptions, serversList } from '#web/features/servers/admin/servers-list.ts'
import { downloadServers } from '#web/features/servers/list/servers-csv.ts'
import { ServersFilters, type ServersList, ServersTable } from '#web/features/servers/admin/servers-table.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import '#web/ui/mono.css'
import { ListPage } from '#web/ui/table/list-page.tsx'
import { useList } from '#web/ui/table/use-list.ts'
import { useSelection } from '#web/ui/table/use-selection.ts'

const idOf = (server: AdminServer): string => server.public_id

export function AdminServersPage() {
  const list = useList(serversList)
  const { open } = list.state
  const query = useQuery(adminServersOptions(list.state))
  const rows = query.data?.data
  const selection = useSelection(rows ?? [], idOf, list.filterKey)
  return (
    <ListPage
      title={m.nav_all_servers()}
      list={list}
      query={query}
      idOf={idOf}
      countText={m.count_servers}
      onExport={downloadServers}
      filters={<ServersFilters list={list} rows={rows ?? []} />}
      table={
        <ServersTable rows={rows} list={list} selection={selection} waiting={query.isPlaceholderData} empty={<NoServers list={list} />} />
      }
    >
      <BulkBanServers selection={selection} />
      {open !== undefined && <ServerPanel id={open} row={rows?.find((row) => idOf(row) === open)} onClose={list.close} />}
    </ListPage>
  )
}

function NoServers({ list }: { list: ServersList }) {
  if (!list.isFiltered) return <EmptyState title={m.servers_page_admin_empty()}>{m.servers_page_admin_empty_hint()}</EmptyState>
  return (
    <EmptyState title={m.servers_page_admin_none()} action={<Button onClick={list.clearFilters}>{m.servers_page_admin_show_all()}</Button>}>
      {m.servers_page_admin_none_hint()}
    </EmptyState>
  )
}
