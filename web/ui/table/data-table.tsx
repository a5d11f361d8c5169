/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role -- Safari drops the roles of table elements shown as blocks */
import { FlexRender, type RowData } from '@tanstack/react-table'
import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide-react'
import { lazy, Suspense, use } from 'react'
import { m } from '#messages'
import { cx } from '#web/ui/class-names.ts'
import { type Column, type ListTable, PanelContext, type TableRow } from './list-table.tsx'
import type { AnyList } from './use-list.ts'
import { RowCheckbox } from './row-checkbox.tsx'

/** Few users have so many rows. */
const VirtualRows = lazy(() => import('./virtual-rows.tsx').then((module) => ({ default: module.VirtualRows })))

/** Above this, only the rows near the visible part of the page are rendered. */
const MAX_RENDERED_ROWS = 100
/** Columns that stay visible beside an open side panel, if there is room. */
const COLUMNS_BESIDE_PANEL = 3

interface DataTableProps<R extends RowData> {
  table: ListTable<R>
  /** Those of the table, unless it is shown in several parts. */
  rows?: readonly TableRow<R>[]
  label?: string
  labelledBy?: string
  /** Its columns can be sorted by the list's `sorts`. */
  list?: Pick<AnyList, 'state' | 'sorts' | 'sortBy'>
  /** Only screen readers get a hidden header, or on narrow screens that of `wide`. */
  header?: 'shown' | 'wide' | 'hidden'
  selectAllLabel?: string
  /** Newer rows are being loaded. */
  isWaiting?: boolean
  /** A row that stays rendered wherever it is. */
  keptId?: string | undefined
  /** Of most rows, in pixels. */
  rowHeight?: number
  className?: string
}

/** A table, which shows its rows as cards on a narrow screen. */
export function DataTable<R extends RowData>(props: DataTableProps<R>) {
  const { table, rows = table.rows, label, labelledBy, isWaiting = false, keptId, rowHeight = 53, className } = props
  const isVirtual = table.rows.length > MAX_RENDERED_ROWS
  const rowAt = (index: number, measure?: (element: HTMLElement | null) => void) => {
    const row = rows[index]
    if (!row) return null
    // The header is the first row.
    const position = isVirtual ? { 'data-index': index, 'aria-rowindex': index + 2 } : {}
    return <BodyRow key={row.id} row={row} table={table} isDisabled={isWaiting} measure={measure} position={position} />
  }
  return (
    <table
      role="table"
      data-list
      aria-label={label}
      aria-labelledby={labelledBy}
      aria-busy={isWaiting || undefined}
      aria-rowcount={isVirtual ? rows.length + 1 : undefined}
      className={cx(
        'card block w-full border-separate border-spacing-0 text-13 lg:table',
        isWaiting && 'opacity-70 transition-opacity',
        className,
      )}
    >
      <Header {...props} isVirtual={isVirtual} />
      {isVirtual ? (
        // Measured heights belong to one density and width.
        <Suspense fallback={<tbody className="block" style={{ height: rows.length * rowHeight }} />}>
          <VirtualRows key={rowHeight} ids={rows.map(({ id }) => id)} rowHeight={rowHeight} keptId={keptId}>
            {rowAt}
          </VirtualRows>
        </Suspense>
      ) : (
        <tbody role="rowgroup" className="block lg:table-row-group">
          {rows.map((_, index) => rowAt(index))}
        </tbody>
      )}
    </table>
  )
}

function Header<R extends RowData>(props: DataTableProps<R> & { isVirtual: boolean }) {
  const { table, list, header = 'shown', selectAllLabel, isWaiting = false, isVirtual } = props
  const isHidden = header === 'hidden'
  const visibilities = useVisibilities()
  return (
    <thead
      role="rowgroup"
      className={cx('block lg:table-header-group', isHidden && 'sr-only lg:block', header === 'wide' && 'max-lg:sr-only')}
    >
      <tr
        role="row"
        aria-rowindex={isVirtual ? 1 : undefined}
        className="flex flex-wrap items-center gap-2 border-b border-line px-4 py-2 lg:table-row"
      >
        {table.isSelectable && (
          <th role="columnheader" className="w-10 text-left lg:border-b lg:border-line lg:py-2 lg:pl-4">
            {isHidden ? (
              m.ui_table_selection()
            ) : (
              <RowCheckbox
                label={selectAllLabel ?? m.ui_table_select_page()}
                isChecked={table.model.getIsAllPageRowsSelected()}
                isMixed={table.model.getIsSomePageRowsSelected()}
                isDisabled={isWaiting}
                onChange={table.model.getToggleAllPageRowsSelectedHandler()}
              />
            )}
          </th>
        )}
        {table.model.getAllLeafColumns().map(({ id, columnDef }, index) => (
          <HeaderCell
            key={id}
            column={columnDef as Column<R>}
            list={isHidden ? undefined : list}
            isWide={header === 'wide'}
            className={cx(index === 0 && !table.isSelectable && 'lg:pl-4', visibilities(index))}
          />
        ))}
      </tr>
    </thead>
  )
}

interface HeaderCellProps<R extends RowData> {
  column: Column<R>
  list: DataTableProps<R>['list'] | undefined
  isWide: boolean
  className: string
}

/** A narrow screen shows only the columns to sort by. */
function HeaderCell<R extends RowData>({ column: { id, header: title, meta }, list, isWide, className }: HeaderCellProps<R>) {
  const canSort = list !== undefined && Object.hasOwn(list.sorts, id)
  const order = canSort && list.state.sort === id ? list.state.order : 'none'
  const Icon = SORT_ICONS[order]
  return (
    <th
      role="columnheader"
      scope="col"
      aria-sort={canSort ? ARIA_SORT[order] : undefined}
      className={cx(
        'text-left text-12 font-normal text-ink-3 lg:border-b lg:border-line lg:h-9 lg:px-3 lg:py-1',
        meta?.alignEnd && 'lg:text-right',
        !canSort && 'max-lg:sr-only',
        className,
        meta?.className,
      )}
    >
      {(!canSort || isWide) && <span className={meta?.isTitleHidden ? 'sr-only' : canSort ? 'lg:hidden' : undefined}>{title}</span>}
      {canSort && (
        <button
          type="button"
          onClick={() => list.sortBy(id)}
          className={cx(
            '-mx-1.5 inline-flex min-h-7 items-center gap-1 rounded-6 px-1.5 whitespace-nowrap hover:text-ink-1 pointer-coarse:min-h-11',
            isWide && 'max-lg:hidden',
            order === 'none' ? '[&>svg]:opacity-60' : 'font-medium text-ink-1',
          )}
        >
          {title}
          <Icon size={13} aria-hidden="true" />
        </button>
      )}
    </th>
  )
}

const ARIA_SORT = { asc: 'ascending', desc: 'descending', none: 'none' } as const
const SORT_ICONS = { asc: ArrowUp, desc: ArrowDown, none: ArrowUpDown } as const

interface BodyRowProps<R extends RowData> {
  table: ListTable<R>
  row: TableRow<R>
  isDisabled: boolean
  measure: ((element: HTMLElement | null) => void) | undefined
  position: object
}

const CELL = 'p-0 align-middle lg:border-b lg:border-line lg:px-3 lg:py-2 lg:[tr:last-child>&]:border-b-0'

function BodyRow<R extends RowData>({ table: { isSelectable, nameOf }, row, isDisabled, measure, position }: BodyRowProps<R>) {
  const { open } = use(PanelContext)
  const visibilities = useVisibilities()
  const [title, ...cells] = row.getAllCells()
  return (
    <tr
      ref={measure}
      role="row"
      data-row={row.id}
      {...position}
      className={cx(
        'relative flex scroll-my-20 flex-wrap items-center gap-x-4 gap-y-2 border-line px-4 py-3 transition-colors duration-100 not-last:border-b',
        'hover:bg-surface-2/50 lg:table-row',
        isSelectable && 'pl-13',
        (open === row.id || row.getIsSelected()) && 'bg-surface-2/70',
      )}
    >
      {isSelectable && (
        <td role="cell" className={cx(CELL, 'absolute top-5.5 left-4 z-1 lg:static lg:w-10 lg:pl-4')}>
          {row.getCanSelect() && (
            <RowCheckbox
              label={m.ui_table_select({ row: nameOf(row.original) })}
              isChecked={row.getIsSelected()}
              isDisabled={isDisabled}
              onChange={row.getToggleSelectedHandler()}
            />
          )}
        </td>
      )}
      {title && (
        <td
          role="cell"
          className={cx(
            CELL,
            'block min-w-0 basis-full lg:table-cell lg:w-full lg:max-w-0',
            !isSelectable && 'lg:pl-4',
            title.column.columnDef.meta?.className,
          )}
        >
          <FlexRender cell={title} />
        </td>
      )}
      {cells.map((cell, index) => {
        const { header, meta } = cell.column.columnDef as Column<R>
        const className = cx(CELL, 'flex min-w-0 items-center gap-2 max-lg:has-data-none:hidden', visibilities(index + 1))
        return (
          <td key={cell.id} role="cell" className={cx(className, meta?.alignEnd && 'lg:text-right', meta?.className)}>
            {/* Cards have no column headers. */}
            {!meta?.untitledInCard && <span className="shrink-0 text-12 text-ink-3 lg:hidden">{header}</span>}
            <span className="min-w-0">
              <FlexRender cell={cell} />
            </span>
          </td>
        )
      })}
    </tr>
  )
}

/** An open side panel leaves less room for columns. */
function useVisibilities() {
  const { open } = use(PanelContext)
  return (index: number) => {
    if (open === undefined || index === 0) return 'lg:table-cell'
    return index < COLUMNS_BESIDE_PANEL ? 'lg:max-[1299px]:hidden min-[1300px]:table-cell' : 'lg:hidden'
  }
}
