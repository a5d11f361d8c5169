import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { EVENTS } from '#contract/events/events.ts'
import { m } from '#messages'
import { AUDIT_COLUMNS, AUDIT_FILTERS } from '#web/features/activity/audit/audit-columns.tsx'
import { AuditPanel } from '#web/features/activity/audit/audit-views.tsx'
import { auditList, auditOptions } from '#web/features/activity/audit/audit.api.ts'
import { QueuePanel } from '#web/features/protection/queue/queue-panel.tsx'
import { nameOf, QUEUE_COLUMNS, QUEUE_FILTERS, QueueBulk } from '#web/features/protection/queue/queue-table.tsx'
import { issuesList, queueOptions } from '#web/features/protection/queue/queue.api.ts'
import { BulkBanServers } from '#web/features/servers/admin/ban-servers.tsx'
import { ServerPanel } from '#web/features/servers/admin/server-panel.tsx'
import { SERVER_COLUMNS, SERVER_FILTERS } from '#web/features/servers/admin/servers-columns.tsx'
import { adminServersOptions, serversList } from '#web/features/servers/admin/servers-list.ts'
import { downloadServers } from '#web/features/servers/list/servers-csv.ts'
import { meOptions } from '#web/features/session/session.api.ts'
import { UserPanel } from '#web/features/users/admin/user-panel.tsx'
import {
  adminUsersOptions,
  BulkBanUsers,
  downloadUsers,
  USER_COLUMNS,
  USER_FILTERS,
  usersList,
} from '#web/features/users/admin/users-table.tsx'
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

export function AdminUsersPage() {
  const list = useList(usersList)
  const { data: me } = useSuspenseQuery(meOptions)
  return (
    <ListPage
      title={m.nav_users()}
      label={m.nav_users()}
      list={list}
      query={useQuery(adminUsersOptions(list.state))}
      columns={USER_COLUMNS}
      idOf={({ id }) => id}
      nameOf={({ discord }) => discord.username}
      countText={m.count_users}
      searchLabel={m.users_list_search()}
      placeholder={m.users_list_placeholder()}
      filters={USER_FILTERS}
      empty={{ title: m.users_list_empty(), hint: m.users_list_empty_hint() }}
      noneFound={{ title: m.users_list_none(), hint: m.users_list_none_hint(), showAll: m.users_list_show_all() }}
      onExport={downloadUsers}
      bulkActions={(selection) => <BulkBanUsers selection={selection} myId={me.id} />}
      panel={(open) => <UserPanel {...open} myId={me.id} />}
    />
  )
}

export function AdminProtectionIssuesPage() {
  const list = useList(issuesList)
  return (
    <ListPage
      title={m.nav_protection_issues()}
      label={m.nav_protection_issues()}
      list={list}
      query={useQuery(queueOptions(list.state))}
      columns={QUEUE_COLUMNS}
      idOf={({ id }) => id}
      nameOf={nameOf}
      countText={m.count_issues}
      searchLabel={m.protection_queue_search()}
      placeholder={m.protection_queue_search_placeholder()}
      filters={QUEUE_FILTERS}
      empty={{ title: m.issues_page_none(), hint: m.issues_page_none_hint() }}
      bulkActions={(selection) => <QueueBulk selection={selection} />}
      panel={(open) => <QueuePanel {...open} />}
    />
  )
}

export function AdminAuditPage() {
  const list = useList(auditList)
  return (
    <ListPage
      title={m.nav_audit_log()}
      label={m.nav_audit_log()}
      below={m.audit_page_about()}
      list={list}
      query={useQuery(auditOptions(list.state))}
      columns={AUDIT_COLUMNS}
      idOf={({ id }) => id}
      nameOf={({ action }) => EVENTS[action].title()}
      countText={m.count_entries}
      searchLabel={m.audit_search()}
      placeholder={m.audit_search_placeholder()}
      filters={AUDIT_FILTERS}
      empty={{ title: m.audit_page_empty(), hint: m.audit_page_empty_hint() }}
      noneFound={{
        title: m.audit_page_none(),
        hint: list.state.search ? m.audit_page_none_hint() : m.audit_page_none_filtered(),
        showAll: m.audit_page_show_all(),
      }}
      panel={(open) => <AuditPanel {...open} />}
    />
  )
}
