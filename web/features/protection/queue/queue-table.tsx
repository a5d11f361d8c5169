import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ISSUES } from '#contract/issue-kinds.ts'
import type { QueuedIssue } from '#contract/protection.ts'
import { ConsequenceMark, KindIcon, SeverityMark, StatusMark } from '#web/features/protection/marks.tsx'
import { isOpen } from '#web/features/protection/words.ts'
import { WhenCell } from '#web/ui/table/cells.tsx'
import { type Column, DataTable } from '#web/ui/table/data-table.tsx'
import type { Selection } from '#web/ui/table/use-selection.ts'
import type { QueueList } from './queue-filters.tsx'

export const idOf = ({ id }: QueuedIssue): string => id

/** The issue's own page. */
const hrefOf = ({ id, user_id }: QueuedIssue): string => `/admin/protection-issues/${id}/users/${user_id}`

const LINK = 'relative rounded-6 hover:text-ink-1 hover:underline'

/** Over the row's own link, each to its own page. */
export function ServerAndOwner({ issue: { server, user } }: { issue: QueuedIssue }) {
  return (
    <>
      {server === null ? (
        'Deleted server'
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
    title: 'Severity',
    sort: 'severity',
    narrow: 'bare',
    className: 'whitespace-nowrap min-[1300px]:w-28',
    cell: (issue) => <SeverityMark severity={issue.severity} />,
  },
  {
    key: 'status',
    title: 'Status',
    narrow: 'bare',
    className: 'whitespace-nowrap min-[1300px]:w-36',
    cell: (issue) => <StatusMark status={issue.status} />,
  },
  {
    key: 'consequence',
    title: 'In force',
    narrow: 'bare',
    className: 'whitespace-nowrap min-[1300px]:w-32',
    isNothing: (issue) => !isOpen(issue),
    cell: (issue) => (isOpen(issue) ? <InForce issue={issue} /> : <span className="text-ink-3">–</span>),
  },
  {
    key: 'occurrences',
    title: 'Found',
    sort: 'occurrences',
    end: true,
    className: 'tabular-nums whitespace-nowrap min-[1300px]:w-20',
    cell: (issue) => `${issue.occurrences.toLocaleString('en')}×`,
  },
  {
    key: 'last',
    title: 'Last seen',
    sort: 'last_seen_at',
    className: 'whitespace-nowrap min-[1300px]:w-28',
    cell: (issue) => <WhenCell at={issue.last_seen_at} />,
  },
]

/** Its tooltip is heard over the row's link. */
function InForce({ issue }: { issue: QueuedIssue }) {
  return (
    <span className="relative">
      <ConsequenceMark consequence={issue.consequence} />
    </span>
  )
}

interface QueueTableProps {
  list: QueueList
  rows: readonly QueuedIssue[] | undefined
  selection: Selection<QueuedIssue>
  waiting: boolean
  empty: ReactNode
}

export function QueueTable({ list, rows, selection, waiting, empty }: QueueTableProps) {
  return (
    <DataTable
      label="Protection issues"
      rows={rows}
      idOf={idOf}
      titleOf={(issue) => ({
        before: <KindIcon kind={issue.kind} />,
        name: ISSUES[issue.kind].name,
        below: <ServerAndOwner issue={issue} />,
      })}
      hrefOf={hrefOf}
      titleHead={{ title: 'Issue' }}
      columns={COLUMNS}
      list={list}
      selection={selection}
      waiting={waiting}
      empty={empty}
    />
  )
}
