/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role -- Safari drops the roles of table elements shown as blocks */
/**
 * Building blocks for long lists; `features/servers/admin/servers-table.tsx` is an example.
 *
 * - `defineList({ sorts, filters })` (lib/list-search.ts) describes the URL. The page calls `useList(thatList)`, not the route, so the
 *   first page does not load it.
 * - `useQuery({ ...neverStale, queryKey, queryFn })` loads a page of rows, `useSelection(rows, idOf, list.filterKey)` holds the selection.
 * - `<ListPage list query filters table>` lays them out. Inside: `<FilterBar>` with `<FilterMenu>` and `<FilterChip>`,
 *   `<DataTable list waiting={isPlaceholderData}>`, `<BulkBar>`, `<BulkDialog>`, and `<SidePanel>` for the open row.
 *
 * Keys: `/` search, `j` and `k` (or arrows) move, Enter opens, `x` or space selects, Escape closes.
 */
import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { m } from '#messages'
import { cx } from '#web/ui/class-names.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { visibilityOf, RowCheckbox, TableRow } from './table-row.tsx'
import type { AnyList } from './use-list.ts'
import { useRowKeys } from './use-row-keys.ts'
import type { Selection } from './use-selection.ts'

export interface RowTitle {
  icon?: ReactNode
  name: string
  badges?: ReactNode
  subtitle?: ReactNode
}

export interface Column<R> {
  key: string
  title: string
  /** The column's name in `sorts`. */
  sort?: string
  alignEnd?: boolean
  className?: string
  /** How a card on a narrow screen shows the cell. The default is `titled`. */
  inCard?: 'titled' | 'untitled'
  /** Hides the cell in a card. */
  isEmpty?: (row: R) => boolean
  cell: (row: R) => ReactNode
}

export interface DataTableProps<R> {
  label: string
  /** Undefined until the first reply. */
  rows: readonly R[] | undefined
  idOf: (row: R) => string
  titleOf: (row: R) => RowTitle
  hrefOf: (row: R) => string
  titleColumn: { title: string; sort?: string }
  columns: readonly Column<R>[]
  list: AnyList
  selection?: Selection<R> | undefined
  /** Newer rows are being loaded. */
  waiting?: boolean
  empty: ReactNode
}

export type TableProps<R> = Pick<DataTableProps<R>, 'rows' | 'list' | 'selection' | 'waiting' | 'empty'>

export function DataTable<R>(props: DataTableProps<R>) {
  const { label, rows, idOf, columns, list, selection, waiting = false, empty } = props
  const { open } = list.state
  // Rows that are being replaced can't be selected.
  const { table, onKeyDown } = useRowKeys(rows ?? [], idOf, open, list.open, waiting ? undefined : selection)
  if (rows === undefined || (rows.length === 0 && waiting)) return <RowsPending label={label} />
  if (rows.length === 0) return empty
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the links in its rows take the focus
    <table
      ref={table}
      role="table"
      data-list
      aria-label={label}
      aria-busy={waiting || undefined}
      onKeyDown={onKeyDown}
      className={cx('card block w-full border-separate border-spacing-0 text-13 lg:table', waiting && 'opacity-70 transition-opacity')}
    >
      <thead role="rowgroup" className="block lg:table-header-group">
        <tr role="row" className="flex flex-wrap items-center gap-2 border-b border-line px-4 py-2 lg:table-row">
          {selection && (
            <th role="columnheader" className="w-10 text-left lg:border-b lg:border-line lg:py-2 lg:pl-4">
              <RowCheckbox
                label={m.ui_table_select_page()}
                checked={selection.page === 'all'}
                mixed={selection.page === 'some'}
                disabled={waiting}
                onToggle={selection.togglePage}
              />
            </th>
          )}
          <ColumnHeader list={list} column={{ ...props.titleColumn, key: 'title' }} first={!selection} />
          {columns.map((column, index) => (
            <ColumnHeader key={column.key} list={list} column={column} visibility={visibilityOf(index, open)} />
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup" className="block lg:table-row-group">
        {rows.map((row) => (
          <TableRow key={idOf(row)} row={row} table={props} />
        ))}
      </tbody>
    </table>
  )
}

interface ColumnHeaderProps {
  column: Pick<Column<never>, 'key' | 'title' | 'sort' | 'alignEnd' | 'className'>
  first?: boolean
  visibility?: string
  list: AnyList
}

const REVERSED = { asc: 'desc', desc: 'asc' } as const

/** Sorts by the column; another click reverses the order. A narrow screen shows sortable columns only. */
function ColumnHeader({ column, first = false, visibility, list }: ColumnHeaderProps) {
  const { sort, order } = list.state
  const { sort: by, title, alignEnd = false } = column
  const sorted = by !== undefined && by === sort
  const Icon = !sorted ? ArrowUpDown : order === 'asc' ? ArrowUp : ArrowDown
  return (
    <th
      role="columnheader"
      scope="col"
      aria-sort={by === undefined ? undefined : sorted ? (order === 'asc' ? 'ascending' : 'descending') : 'none'}
      className={cx(
        'text-left text-12 font-normal text-ink-3 lg:border-b lg:border-line lg:px-3 lg:py-1',
        first && 'lg:pl-4',
        alignEnd && 'lg:text-right',
        by === undefined && 'max-lg:sr-only',
        visibility,
        column.className,
      )}
    >
      {by === undefined ? (
        title
      ) : (
        <button
          type="button"
          onClick={() => list.sortBy(by, sorted ? REVERSED[order] : (list.sorts[by] ?? 'asc'))}
          className={cx(
            'group -mx-1.5 inline-flex min-h-7 items-center gap-1 rounded-6 px-1.5 hover:text-ink-1 pointer-coarse:min-h-11',
            sorted && 'font-medium text-ink-1',
          )}
        >
          {title}
          <Icon size={13} aria-hidden="true" className={cx(!sorted && 'opacity-60')} />
        </button>
      )}
    </th>
  )
}

function RowsPending({ label }: { label: string }) {
  return (
    <div role="status" aria-label={m.ui_table_loading({ table: label })} className="card divide-y divide-line">
      {Array.from({ length: 10 }, (_, row) => (
        <div key={row} className="flex min-h-14 items-center gap-3 px-4 py-2">
          <Skeleton className="size-8 shrink-0" />
          <div className="flex-1 space-y-2">
            <Skeleton className="h-4 w-48 max-w-full" />
            <Skeleton className="h-3 w-24" />
          </div>
          <Skeleton className="h-6 w-24 max-sm:hidden" />
          <Skeleton className="h-4 w-32 max-lg:hidden" />
        </div>
      ))}
    </div>
  )
}

/** Sits above the link that covers the row, so its tooltip works. */
export function TimeCell({ at }: { at: string }) {
  return (
    <span className="relative">
      <TimeAgo at={at} />
    </span>
  )
}

/** A count that should be zero. */
export function CountCell({ count }: { count: number }) {
  return count === 0 ? <span className="text-ink-3">–</span> : <span className="font-medium text-warn">{count}</span>
}
