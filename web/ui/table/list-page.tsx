import type { UseQueryResult } from '@tanstack/react-query'
import type { RowData } from '@tanstack/react-table'
import { Download } from 'lucide-react'
import type { ReactNode } from 'react'
import type { PageMeta } from '#contract/api/paging.ts'
import { m } from '#messages'
import { formatNumber } from '#web/lib/format.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { Button } from '#web/ui/button.tsx'
import type { CountText } from '#web/ui/count-text.ts'
import { EmptyState, QueryPending, SkeletonRows } from '#web/ui/states.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { DataTable } from './data-table.tsx'
import { FilterBar, type FilterBarProps } from './filter-bar.tsx'
import { type Column, PanelContext, type Selection, useListTable } from './list-table.tsx'
import { Pager } from './pager.tsx'
import type { AnyList } from './use-list.ts'
import { useRowKeys } from './use-row-keys.ts'

/** The same array each time, so that the table doesn't compute its rows again. */
const NO_ROWS: readonly never[] = []

interface EmptyTexts {
  title: string
  hint: string
  /** What the button says that removes the filters. */
  showAll?: string
}

interface ListPageProps<R extends RowData> extends Omit<FilterBarProps<R>, 'rows'> {
  title: string
  /** The table's name. */
  label: string
  below?: string
  list: AnyList
  query: Pick<UseQueryResult<{ data: readonly R[]; meta: PageMeta }>, 'data' | 'error' | 'isPlaceholderData' | 'refetch'>
  columns: readonly Column<R>[]
  idOf: (row: R) => string
  nameOf: (row: R) => string
  countText: CountText
  empty: EmptyTexts
  noneFound?: EmptyTexts
  /** Downloads the rows of the page. */
  onExport?: (rows: readonly R[]) => void
  /** Makes rows selectable. */
  bulkActions?: (selection: Selection<R>) => ReactNode
  /** The side panel of the open row, which may be on another page. */
  panel: (open: { id: string; row: R | undefined; onClose: () => void }) => ReactNode
}

/**
 * A long list, of which the backend sends one page: filters, table, pager and side panel. `pages/admin/admin-lists.tsx` has examples. Errors appear above the rows that are already loaded.
 *
 * Keys: `/` search, `j` and `k` (or arrows) move, Enter opens, `x` or space selects, Escape closes.
 */
export function ListPage<R extends RowData>(props: ListPageProps<R>) {
  const { title, label, list, query, idOf, empty, noneFound = empty, onExport, bulkActions } = props
  const { data, error, isPlaceholderData: isWaiting } = query
  const rows: readonly R[] = data?.data ?? NO_ROWS
  const { open } = list.state
  const table = useListTable({ ...props, rows, ...(bulkActions && { selectionScope: list.filterKey }) })
  const keys = useRowKeys({ rows: table.rows, onClear: table.selection.clear, open, onOpen: list.open, isWaiting })
  useTitle(title)
  const texts = list.isFiltered ? noneFound : empty
  const isPending = data === undefined || (rows.length === 0 && isWaiting)
  return (
    <PanelContext value={{ open, onOpen: list.open }}>
      <PageHeader
        title={title}
        beside={
          // Of all rows that match the filters.
          data && (
            <span className="text-13 text-ink-3 tabular-nums">{`${formatNumber(data.meta.total)}${data.meta.capped ? '+' : ''}`}</span>
          )
        }
        below={props.below}
        action={
          onExport && (
            <Button
              className="relative"
              icon={<Download size={15} aria-hidden="true" />}
              disabled={rows.length === 0}
              onClick={() => onExport(rows)}
            >
              {/* On a phone, the total would move it to a line of its own. */}
              <span className="max-sm:sr-only">{m.ui_table_export()}</span>
            </Button>
          )
        }
      />
      <FilterBar {...props} rows={rows} />
      <QueryPending query={query} className="mb-3" />
      {isPending ? (
        !error && (
          <div role="status" aria-label={m.ui_table_loading({ table: label })} className="card space-y-4 p-4">
            <SkeletonRows rows={10} />
          </div>
        )
      ) : rows.length === 0 ? (
        <EmptyState
          title={texts.title}
          action={texts.showAll !== undefined && <Button onClick={list.clearFilters}>{texts.showAll}</Button>}
        >
          {texts.hint}
        </EmptyState>
      ) : (
        // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the links in its rows take the focus
        <div onKeyDown={keys.onKeyDown}>
          <DataTable table={table} label={label} list={list} isWaiting={isWaiting} />
        </div>
      )}
      {data && <Pager meta={data.meta} ids={rows.map(idOf)} countText={props.countText} waiting={isWaiting} list={list} />}
      {bulkActions?.(table.selection)}
      {open !== undefined && props.panel({ id: open, row: rows.find((row) => idOf(row) === open), onClose: list.close })}
    </PanelContext>
  )
}
