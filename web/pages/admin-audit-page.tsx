import { useQuery } from '@tanstack/react-query'
import { AuditFilters, isNarrowed, WIDE } from '#web/features/activity/audit/audit-filters.tsx'
import { auditList } from '#web/features/activity/audit/audit-list.ts'
import { AuditPanel } from '#web/features/activity/audit/audit-panel.tsx'
import { type AuditList, AuditTable } from '#web/features/activity/audit/audit-table.tsx'
import { auditOptions } from '#web/features/activity/audit/audit.api.ts'
import { messageOf } from '#web/lib/http-error.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import '#web/ui/mono.css'
import { RetryNote } from '#web/ui/note.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Pager } from '#web/ui/table/pager.tsx'
import { useLastPage, useList } from '#web/ui/table/use-list.ts'

/** Everything that anybody changed, by whom, from what to what. New rows come by themselves. */
export function AdminAuditPage() {
  useTitle('Audit log')
  const list = useList(auditList)
  const { open } = list.state
  const { data, error, isPlaceholderData, refetch } = useQuery(auditOptions(list.state))
  const rows = data?.data
  useLastPage(data?.meta, rows?.length ?? 0, list)
  return (
    <>
      <PageHeader title="Audit log" below="Every change, by whom, from what to what. Rows are only ever added." />
      <AuditFilters list={list} rows={rows ?? []} />
      {error && (
        <div className="mb-3">
          <RetryNote onRetry={() => void refetch()}>{messageOf(error)}</RetryNote>
        </div>
      )}
      {(data !== undefined || !error) && <AuditTable rows={rows} list={list} waiting={isPlaceholderData} empty={<Nothing list={list} />} />}
      {data && (
        <Pager
          meta={data.meta}
          first={data.data[0]?.id}
          last={data.data.at(-1)?.id}
          count={data.data.length}
          noun="rows"
          waiting={isPlaceholderData}
          onTurn={list.turn}
          onSize={(size) => list.change({ per_page: size })}
        />
      )}
      {open !== undefined && <AuditPanel id={open} row={rows?.find(({ id }) => id === open)} onClose={list.close} />}
    </>
  )
}

function Nothing({ list }: { list: AuditList }) {
  if (!isNarrowed(list.state)) return <EmptyState title="Nothing happened yet">Whatever anybody changes is written down here.</EmptyState>
  return (
    <EmptyState title="No row fits" action={<Button onClick={() => list.change(WIDE)}>Show the whole log</Button>}>
      The search takes the whole Discord name or id of a person, and the whole name or public id of a server. Take a filter away, or look
      for somebody else.
    </EmptyState>
  )
}
