/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role -- shown as blocks they lose them in Safari */
/**
 * The kit for long lists. A list is put together so (`features/servers/admin/servers-table.tsx` is one):
 *
 * - `defineList({ sorts, filters })` (lib/list-search.ts) describes its address. Its page reads that (`useList`), not its
 *   route: nothing of it is fetched with the first page.
 * - `const list = useList(thatList)` is where it is: `list.state`, `list.change({ status: [...] })` for filters, search and
 *   size, `list.narrowed`, `list.showAll()`, `list.open(id)`, `list.close()`.
 * - `const read = useQuery({ ...neverStale, queryKey, queryFn })` reads the page that is shown.
 * - `useSelection(rows, idOf, list.narrowing)` holds what is selected.
 * - `<ListPage list read filters table>` puts them in their places, says what failed and turns the pages. In it: `<FilterBar>` with
 *   `<FilterMenu>`, `<FilterChip>`; `<DataTable list>`, which is told while other rows are on the way (`waiting={isPlaceholderData}`);
 *   `<BulkBar>`, `<BulkDialog>`; `<SidePanel>` for the open row.
 *
 * Keys: `/` search, `j` and `k` (or the arrows on a row) to the next and previous row, Enter opens it, `x` or space selects it, Escape
 * closes it.
 */
import type { ReactNode } from 'react'
import { cx } from '#web/ui/class-names.ts'
import { ColumnHead } from './column-head.tsx'
import { placeOf, RowCheckbox, TableRow } from './table-row.tsx'
import { RowsPending } from './rows-pending.tsx'
import type { AnyList } from './use-list.ts'
import { useRowKeys } from './use-row-keys.ts'
import type { Selection } from './use-selection.ts'

/** What a row is called, in its first column. */
export interface RowTitle {
  /** An icon or a picture, 32 px or less. */
  before?: ReactNode
  name: string
  /** Marks beside the name. */
  marks?: ReactNode
  /** One line under the name. */
  below?: ReactNode
}

export interface Column<R> {
  key: string
  title: string
  /** What the list is sorted by with it, where it is. */
  sort?: string
  end?: boolean
  /** Its width and such, for the wide table. */
  className?: string
  /** On a narrow screen a row is a card: `line` (the usual) stands there with its title, `bare` without, `gone` is not
   * shown. */
  narrow?: 'line' | 'bare' | 'gone'
  /** True for a row that has nothing of it: a card leaves it out. */
  isNothing?: (row: R) => boolean
  cell: (row: R) => ReactNode
}

export interface DataTableProps<R> {
  label: string
  /** Undefined while nothing is known yet. */
  rows: readonly R[] | undefined
  idOf: (row: R) => string
  titleOf: (row: R) => RowTitle
  /** The row's own page: where its name leads in a new tab. */
  hrefOf: (row: R) => string
  /** The head of the first column. */
  titleHead: { title: string; sort?: string }
  columns: readonly Column<R>[]
  list: AnyList
  selection?: Selection<R> | undefined
  /** True while other rows than these are on the way. */
  waiting?: boolean
  /** In place of the rows where there are none. */
  empty: ReactNode
}

export function DataTable<R>(props: DataTableProps<R>) {
  const { label, rows, idOf, columns, list, selection, waiting = false, empty } = props
  const { open } = list.state
  // Rows of another filter or page, which stand until the new ones come, are not what can be selected here.
  const { table, onKeyDown } = useRowKeys(rows ?? [], idOf, open, list.open, waiting ? undefined : selection)
  if (rows === undefined || (rows.length === 0 && waiting)) return <RowsPending label={label} />
  if (rows.length === 0) return empty
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- its rows' names have the focus
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
        <tr role="row" className="flex items-center gap-2 border-b border-line px-4 py-2 lg:table-row">
          {selection && (
            <th role="columnheader" className="w-10 text-left lg:border-b lg:border-line lg:py-2 lg:pl-4">
              <RowCheckbox
                label="Select the page"
                checked={selection.page === 'all'}
                mixed={selection.page === 'some'}
                disabled={waiting}
                onToggle={selection.togglePage}
              />
            </th>
          )}
          <ColumnHead list={list} column={{ ...props.titleHead, key: 'title' }} first={!selection} />
          {columns.map((column, at) => (
            <ColumnHead key={column.key} list={list} column={column} place={placeOf(at, open)} />
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
