/** The lists of the administrators, the page of an issue, and the statistics. */
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
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
import { SERVER_COLUMNS, SERVER_FILTERS, adminServersOptions, serversList } from '#web/features/servers/admin/servers-columns.tsx'
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
import { aboutOptions } from '#web/features/about/about.api.ts'
import { ListHistoryCards } from '#web/features/history/list-history.tsx'
import { StatisticsCards } from '#web/features/history/statistics/statistics-cards.tsx'
import { useTitle } from '#web/lib/use-title.ts'
import { BackLink, PageHeader } from '#web/ui/page-header.tsx'
import { AdminActions } from '#web/features/protection/admin-actions.tsx'
import { IssueView } from '#web/features/protection/issue-view.tsx'
import { hasReports, issueOptions } from '#web/features/protection/protection.api.ts'
import { ReportsCard } from '#web/features/protection/reports-card.tsx'
import { RefreshErrorNote, POLLING } from '#web/features/protection/issue-list.tsx'
import { Avatar } from '#web/features/session/avatar.tsx'

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

export function AdminStatisticsPage() {
  // Polls: `aboutOptions` alone is fetched once.
  const { data: about } = useQuery({ ...aboutOptions, refetchInterval: 10_000, refetchOnMount: 'always' })
  useTitle(m.nav_statistics())
  return (
    <>
      <PageHeader title={m.nav_statistics()} below={m.statistics_page_about()} />
      <div className="space-y-5">
        <ListHistoryCards now={{ players: about?.players_online, servers: about?.servers_online }} />
        <StatisticsCards />
      </div>
    </>
  )
}

export function AdminProtectionIssuePage() {
  const { issue_id, user_id } = useParams({ from: '/member/admin/protection-issues/$issue_id/users/$user_id' })
  const query = useSuspenseQuery({ ...issueOptions(user_id, issue_id), ...POLLING })
  const { data: issue } = query
  useTitle(`${issue.title}: ${issue.user.discord.username}`)
  return (
    <IssueView
      issue={issue}
      viewer="administrator"
      above={
        <>
          <RefreshErrorNote className="mb-4" query={query} />
          <BackLink to="/admin/protection-issues">{m.nav_protection_issues()}</BackLink>
        </>
      }
      owner={
        <span className="inline-flex min-w-0 items-center gap-1.5">
          <span className="text-ink-3">{m.issues_page_owner()}</span>
          <Avatar user={issue.user.discord} size={20} />
          <Link
            to="/admin/users/$user_id"
            params={{ user_id: issue.user_id }}
            className="rounded-6 text-ink-1 underline decoration-line-strong underline-offset-2 hover:decoration-current [overflow-wrap:anywhere]"
          >
            {issue.user.discord.username}
          </Link>
        </span>
      }
      actions={<AdminActions key={issue.id} issue={issue} />}
      reports={hasReports(issue) && <ReportsCard issue={issue} />}
    />
  )
}
