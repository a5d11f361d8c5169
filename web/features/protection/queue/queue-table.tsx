import { Link } from '@tanstack/react-router'
import { ISSUE_KINDS, ISSUES } from '#contract/protection/issue-kinds.ts'
import type { QueuedIssue } from '#contract/protection/protection.ts'
import { m } from '#messages'
import { ConsequenceBadge, KindIcon, SeverityBadge, StatusBadge } from '#web/features/protection/issue-badges.tsx'
import { isOpen, SEVERITY, STATUS, subjectOf } from '#web/features/protection/issue-labels.ts'
import { formatNumber } from '#web/lib/format.ts'
import { type Column, DataTable, type TableProps, TimeCell } from '#web/ui/table/data-table.tsx'
import { FilterBar, FilterChip, FilterMenu, type FilterOption } from '#web/ui/table/filter-bar.tsx'
import type { useList } from '#web/ui/table/use-list.ts'
import { type issuesList, statusesToUrl, statusesFromUrl } from './issues-list.ts'

type QueueList = ReturnType<typeof useList<keyof typeof issuesList.sorts, typeof issuesList.filters>>

export const idOf = ({ id }: QueuedIssue): string => id

const hrefOf = ({ id, user_id }: QueuedIssue): string => `/admin/protection-issues/${id}/users/${user_id}`

const LINK = 'relative rounded-6 hover:text-ink-1 hover:underline'

export function ServerAndOwner({ issue }: { issue: QueuedIssue }) {
  const { server, user } = issue
  return (
    <>
      {server === null ? (
        subjectOf(issue)
      ) : (
        <Link to="/admin/servers/$server_id" params={{ server_id: server.public_id }} className={LINK}>
          {server.name}
        </Link>
      )}
      {' · '}
      <Link to="/admin/users/$user_id" params={{ user_id: user.id }} className={LINK}>
        {user.discord.username}
      </Link>
    </>
  )
}

const COLUMNS: readonly Column<QueuedIssue>[] = [
  {
    key: 'severity',
    title: m.protection_severity(),
    sort: 'severity',
    inCard: 'untitled',
    className: 'whitespace-nowrap min-[1300px]:w-28',
    cell: (issue) => <SeverityBadge severity={issue.severity} />,
  },
  {
    key: 'status',
    title: m.protection_status(),
    inCard: 'untitled',
    className: 'whitespace-nowrap min-[1300px]:w-36',
    cell: (issue) => <StatusBadge status={issue.status} />,
  },
  {
    key: 'consequence',
    title: m.protection_consequence(),
    inCard: 'untitled',
    className: 'whitespace-nowrap min-[1300px]:w-32',
    isEmpty: (issue) => !isOpen(issue),
    cell: (issue) =>
      isOpen(issue) ? (
        // Above the row's link, so that the tooltip works.
        <span className="relative">
          <ConsequenceBadge consequence={issue.consequence} />
        </span>
      ) : (
        <span className="text-ink-3">–</span>
      ),
  },
  {
    key: 'occurrences',
    title: m.protection_queue_seen(),
    sort: 'occurrences',
    alignEnd: true,
    className: 'tabular-nums whitespace-nowrap min-[1300px]:w-20',
    cell: (issue) => `${formatNumber(issue.occurrences)}×`,
  },
  {
    key: 'last',
    title: m.protection_queue_last_seen(),
    sort: 'last_seen_at',
    className: 'whitespace-nowrap min-[1300px]:w-28',
    cell: (issue) => <TimeCell at={issue.last_seen_at} />,
  },
]

export function QueueTable(props: TableProps<QueuedIssue>) {
  return (
    <DataTable
      {...props}
      label={m.nav_protection_issues()}
      idOf={idOf}
      titleOf={(issue) => ({
        icon: <KindIcon kind={issue.kind} />,
        name: ISSUES[issue.kind].name(),
        subtitle: <ServerAndOwner issue={issue} />,
      })}
      hrefOf={hrefOf}
      titleColumn={{ title: m.protection_issue() }}
      columns={COLUMNS}
    />
  )
}

const optionsOf = <V extends string>(labels: Readonly<Record<V, { name: string }>>): FilterOption<V>[] =>
  (Object.keys(labels) as V[]).map((value) => ({ value, label: labels[value].name }))

const KINDS = ISSUE_KINDS.map((value) => ({ value, label: ISSUES[value].name() }))
const SEVERITIES = optionsOf(SEVERITY).toReversed()
const STATUSES = optionsOf(STATUS)

/** The status filter always names the shown statuses, even the default ones. */
export function QueueFilters({ list, rows }: { list: QueueList; rows: readonly QueuedIssue[] }) {
  const { search, kind, status, severity, user_id: userId } = list.state
  return (
    <FilterBar
      label={m.protection_queue_search()}
      placeholder={m.protection_queue_search_placeholder()}
      search={search}
      onSearch={(text) => list.change({ search: text }, true)}
      isFiltered={list.isFiltered}
      onClear={list.clearFilters}
    >
      <FilterMenu
        label={m.protection_status()}
        multiple
        options={STATUSES}
        chosen={statusesFromUrl(status)}
        onChange={(chosen) => list.change({ status: statusesToUrl(chosen) })}
      />
      <FilterMenu
        label={m.protection_severity()}
        multiple
        options={SEVERITIES}
        chosen={severity}
        onChange={(chosen) => list.change({ severity: chosen })}
      />
      <FilterMenu label={m.protection_kind()} multiple options={KINDS} chosen={kind} onChange={(chosen) => list.change({ kind: chosen })} />
      {userId !== undefined && (
        <FilterChip label={m.issues_page_owner()} onRemove={() => list.change({ user_id: undefined })}>
          {rows.find((row) => row.user_id === userId)?.user.discord.username ?? `${userId.slice(0, 8)}…`}
        </FilterChip>
      )}
    </FilterBar>
  )
}
