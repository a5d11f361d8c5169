import { useQuery } from '@tanstack/react-query'
import { m } from '#messages'
import { BulkBanServers } from '#web/features/servers/admin/ban-servers.tsx'
import { ServerPanel } from '#web/features/servers/admin/server-panel.tsx'
import { SERVER_COLUMNS, SERVER_FILTERS } from '#web/features/servers/admin/servers-columns.tsx'
import { adminServersOptions, serversList } from '#web/features/servers/admin/servers-list.ts'
import { downloadServers } from '#web/features/servers/list/servers-csv.ts'
import '#web/ui/mono.css'
import { ListPage } from '#web/ui/table/list-page.tsx'
import { useList } from '#web/ui/table/use-list.ts'

export function AdminServersPage() {
  const list = useList(serversList)
  return (
    <ListPage
      title={m.nav_all_servers()}
      label={m.nav_servers()}
      list={list}
      query={useQuery(adminServersOptions(list.state))}
      columns={SERVER_COLUMNS}
      idOf={({ public_id: id }) => id}
      nameOf={({ name }) => name}
      countText={m.count_servers}
      searchLabel={m.servers_admin_search()}
      placeholder={m.servers_admin_search_placeholder()}
      filters={SERVER_FILTERS}
      empty={{ title: m.servers_page_admin_empty(), hint: m.servers_page_admin_empty_hint() }}
      noneFound={{
        title: m.servers_page_admin_none(),
        hint: m.servers_page_admin_none_hint(),
        showAll: m.servers_page_admin_show_all(),
      }}
      onExport={downloadServers}
      bulkActions={(selection) => <BulkBanServers selection={selection} />}
      panel={(open) => <ServerPanel {...open} />}
    />
  )
}
