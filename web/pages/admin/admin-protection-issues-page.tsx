import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { QueuedIssue } from '#contract/protection/protection.ts'
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
  const query = useQuery(queueOptions(list.state))
  const rows = query.data?.data
  const selection = useSelection(rows ?? [], idOf, list.filterKey)
  const { row, fetchedAt } = usePanelRow(open, rows ?? [], query.dataUpdatedAt)
  return (
    <ListPage
      title={m.nav_protection_issues()}
      list={list}
      query={query}
      idOf={idOf}
      countText={m.count_issues}
      filters={<QueueFilters list={list} rows={rows ?? []} />}
      table={<QueueTable list={list} rows={rows} selection={selection} waiting={query.isPlaceholderData} empty={<NoIssues />} />}
    >
      <QueueBulk selection={selection} />
      {open !== undefined && <QueuePanel id={open} row={row} fetchedAt={fetchedAt} onClose={list.close} />}
    </ListPage>
  )
}

/** The row of the issue in the side panel, even after it left the list. */
function usePanelRow(id: string | undefined, rows: readonly QueuedIssue[], fetchedAt: number) {
  const row = rows.find((each) => each.id === id)
  const [last, setLast] = useState({ row, fetchedAt })
  if (row && (row !== last.row || fetchedAt !== last.fetchedAt)) setLast({ row, fetchedAt })
  if (row) return { row, fetchedAt }
  return last.row?.id === id ? last : { row: undefined, fetchedAt: 0 }
}

function NoIssues() {
  return <EmptyState title={m.issues_page_none()}>{m.issues_page_none_hint()}</EmptyState>
}
