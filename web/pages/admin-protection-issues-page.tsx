import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { QueuedIssue } from '#contract/protection.ts'
import { m } from '#messages'
import { issuesList } from '#web/features/protection/queue/issues-list.ts'
import { queueOptions } from '#web/features/protection/queue/queue.api.ts'
import { QueueBulk } from '#web/features/protection/queue/queue-bulk.tsx'
import { QueuePanel } from '#web/features/protection/queue/queue-panel.tsx'
import { idOf, QueueFilters, QueueTable } from '#web/features/protection/queue/queue-table.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ListPage } from '#web/ui/table/list-page.tsx'
import { useList } from '#web/ui/table/use-list.ts'
import { useSelection } from '#web/ui/table/use-selection.ts'

export function AdminProtectionIssuesPage() {
  const list = useList(issuesList)
  const { open } = list.state
  const read = useQuery(queueOptions(list.state))
  const rows = read.data?.data
  const selection = useSelection(rows ?? [], idOf, list.narrowing)
  const { row, readAt } = useOpened(open, rows ?? [], read.dataUpdatedAt)
  return (
    <ListPage
      title={m.nav_protection_issues()}
      list={list}
      read={read}
      idOf={idOf}
      countText={m.count_issues}
      filters={<QueueFilters list={list} rows={rows ?? []} />}
      table={<QueueTable list={list} rows={rows} selection={selection} waiting={read.isPlaceholderData} empty={<Nothing />} />}
    >
      <QueueBulk selection={selection} />
      {open !== undefined && <QueuePanel id={open} row={row} readAt={readAt} onClose={list.close} />}
    </ListPage>
  )
}

/** The open issue, even after an action removed it from the list. */
function useOpened(id: string | undefined, rows: readonly QueuedIssue[], readAt: number) {
  const row = rows.find((each) => each.id === id)
  const [known, setKnown] = useState({ row, readAt })
  if (row && (row !== known.row || readAt !== known.readAt)) setKnown({ row, readAt })
  if (row) return { row, readAt }
  return known.row?.id === id ? known : { row: undefined, readAt: 0 }
}

function Nothing() {
  return <EmptyState title={m.issues_page_none()}>{m.issues_page_none_hint()}</EmptyState>
}
