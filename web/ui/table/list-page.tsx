import type { UseQueryResult } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import type { ReactNode } from 'react'
import type { PageMeta } from '#contract/api/paging.ts'
import { m } from '#messages'
import { formatNumber } from '#web/lib/format.ts'
import { messageOf } from '#web/lib/http/http-error.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { Button } from '#web/ui/button.tsx'
import type { CountText } from '#web/ui/count-text.ts'
import { RetryNote } from '#web/ui/note.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Pager } from './pager.tsx'
import { type AnyList, useRedirectToLastPage } from './use-list.ts'

interface ListPageProps<R> {
  title: string
  below?: string
  list: AnyList
  query: Pick<UseQueryResult<{ data: readonly R[]; meta: PageMeta }>, 'data' | 'error' | 'isPlaceholderData' | 'refetch'>
  idOf: (row: R) => string
  countText: CountText
  filters: ReactNode
  table: ReactNode
  /** Downloads the rows of the page. */
  onExport?: (rows: readonly R[]) => void
  children: ReactNode
}

/** A long list with its header, filters and pager. Errors appear above the rows that are already loaded. */
export function ListPage<R>({ title, below, list, query, idOf, countText, filters, table, onExport, children }: ListPageProps<R>) {
  const { data, error, isPlaceholderData, refetch } = query
  const rows = data?.data ?? []
  useTitle(title)
  useRedirectToLastPage(data?.meta, rows.length, list)
  return (
    <>
      <PageHeader
        title={title}
        beside={data && <Total meta={data.meta} />}
        below={below}
        action={onExport && <ExportButton disabled={rows.length === 0} onClick={() => onExport(rows)} />}
      />
      {filters}
      {error && (
        <RetryNote className="mb-3" onRetry={() => void refetch()}>
          {messageOf(error)}
        </RetryNote>
      )}
      {(data !== undefined || !error) && table}
      {data && <Pager meta={data.meta} ids={rows.map(idOf)} countText={countText} waiting={isPlaceholderData} list={list} />}
      {children}
    </>
  )
}

/** Without its text on a phone, where the total would move it to a line of its own. */
function ExportButton({ disabled, onClick }: { disabled: boolean; onClick: () => void }) {
  return (
    <Button className="relative" icon={<Download size={15} aria-hidden="true" />} disabled={disabled} onClick={onClick}>
      <span className="max-sm:sr-only">{m.ui_table_export()}</span>
    </Button>
  )
}

/** Of all rows that match the filters. */
function Total({ meta: { total, capped } }: { meta: PageMeta }) {
  return <span className="text-13 text-ink-3 tabular-nums">{`${formatNumber(total)}${capped ? '+' : ''}`}</span>
}
