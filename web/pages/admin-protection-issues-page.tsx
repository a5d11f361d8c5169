import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { QueuedIssue } from '#contract/protection.ts'
import { type BulkAct, BulkDecide } from '#web/features/protection/queue/bulk-decide.tsx'
import { issuesList } from '#web/features/protection/queue/issues-list.ts'
import { queueOptions } from '#web/features/protection/queue/queue.api.ts'
import { QueueFilters } from '#web/features/protection/queue/queue-filters.tsx'
import { QueuePanel } from '#web/features/protection/queue/queue-panel.tsx'
import { idOf, QueueTable } from '#web/features/protection/queue/queue-table.tsx'
import { isOpen } from '#web/features/protection/words.ts'
import { messageOf } from '#web/lib/http-error.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { RetryNote } from '#web/ui/note.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { BulkBar } from '#web/ui/table/bulk-bar.tsx'
import { Pager } from '#web/ui/table/pager.tsx'
import { useLastPage, useList } from '#web/ui/table/use-list.ts'
import { useSelection } from '#web/ui/table/use-selection.ts'

const NO_ROWS: readonly QueuedIssue[] = []

/** Everything that the list's checks found, what is in force first. */
export function AdminProtectionIssuesPage() {
  useTitle('Protection issues')
  const list = useList(issuesList)
  const { data, dataUpdatedAt, error, isPlaceholderData, refetch } = useQuery(queueOptions(list.state))
  const rows = data?.data ?? NO_ROWS
  const { search, kind, status, severity, user_id: owner, open } = list.state
  const selection = useSelection(rows, idOf, JSON.stringify([search, kind, status, severity, owner]))
  const { row, readAt } = useOpened(open, rows, dataUpdatedAt)
  const [asked, setAsked] = useState<BulkAct>()
  useLastPage(data?.meta, rows.length, list)
  const decidable = selection.rows.filter(isOpen)
  return (
    <>
      <PageHeader title="Protection issues" />
      <QueueFilters list={list} rows={rows} />
      {error && (
        <div className="mb-3">
          <RetryNote onRetry={() => void refetch()}>{messageOf(error)}</RetryNote>
        </div>
      )}
      {(data !== undefined || !error) && (
        <QueueTable list={list} rows={data && rows} selection={selection} waiting={isPlaceholderData} empty={<Nothing />} />
      )}
      <BulkBar count={selection.rows.length} nouns={['issue', 'issues']} onClear={selection.clear}>
        <Button disabled={decidable.length === 0} onClick={() => setAsked('resolve')}>
          Resolve…
        </Button>
        <Button disabled={decidable.length === 0} onClick={() => setAsked('dismiss')}>
          Dismiss…
        </Button>
      </BulkBar>
      {data && (
        <Pager
          meta={data.meta}
          first={rows[0]?.id}
          last={rows.at(-1)?.id}
          count={rows.length}
          noun="issues"
          waiting={isPlaceholderData}
          onTurn={list.turn}
          onSize={(per_page) => list.change({ per_page })}
        />
      )}
      {open !== undefined && <QueuePanel key={open} id={open} row={row} readAt={readAt} onClose={list.close} />}
      {asked && <BulkDecide act={asked} rows={decidable} onDone={selection.keep} onClose={() => setAsked(undefined)} />}
    </>
  )
}

interface Opened {
  readonly row: QueuedIssue | undefined
  /** When the queue said so. */
  readonly readAt: number
}

/** The open row, also once an act has taken it out of the list. */
function useOpened(id: string | undefined, rows: readonly QueuedIssue[], readAt: number): Opened {
  const row = rows.find((each) => each.id === id)
  const [known, setKnown] = useState<Opened>({ row, readAt })
  if (row && (row !== known.row || readAt !== known.readAt)) setKnown({ row, readAt })
  if (row) return { row, readAt }
  return known.row?.id === id ? known : { row: undefined, readAt: 0 }
}

function Nothing() {
  return (
    <EmptyState title="No issues here">
      Nothing that the checks found fits these filters. What is over is shown with the statuses Resolved and Dismissed.
    </EmptyState>
  )
}
