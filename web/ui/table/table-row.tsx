/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role -- Safari drops the roles of table elements shown as blocks */
import { type MouseEvent as ReactMouseEvent, useEffect, useRef } from 'react'
import { m } from '#messages'
import { cx } from '#web/ui/class-names.ts'
import type { Column, DataTableProps } from './data-table.tsx'

/** A table row, or a card on a narrow screen. The name's link covers it; a plain click opens the side panel. */
export function TableRow<R>({ row, table }: { row: R; table: DataTableProps<R> }) {
  const { idOf, titleOf, hrefOf, columns, list, selection, waiting } = table
  const { open } = list.state
  const id = idOf(row)
  const { icon, name, badges, subtitle } = titleOf(row)
  const isOpen = open === id
  const selected = selection?.has(row) ?? false
  return (
    <tr
      role="row"
      data-row={id}
      className={cx(
        'relative flex flex-wrap items-center gap-x-4 gap-y-2 border-line px-4 py-3 transition-colors duration-100 not-last:border-b',
        'hover:bg-surface-2/50 lg:table-row',
        selection && 'pl-13',
        (isOpen || selected) && 'bg-surface-2/70',
      )}
    >
      {selection && (
        <td role="cell" className={cx(CELL, 'absolute top-5 left-4 z-1 lg:static lg:w-10 lg:pl-4')}>
          <RowCheckbox
            label={m.ui_table_select({ row: name })}
            checked={selected}
            disabled={waiting}
            onToggle={(range) => selection.toggle(row, range)}
          />
        </td>
      )}
      <td role="cell" className={cx(CELL, 'block min-w-0 basis-full lg:table-cell lg:w-full lg:max-w-0', !selection && 'lg:pl-4')}>
        <div className="flex min-w-0 items-center gap-3">
          {icon}
          <div className="min-w-0 flex-1">
            <div className="flex items-center gap-1.5">
              <a
                href={hrefOf(row)}
                data-row-link={id}
                aria-haspopup="dialog"
                aria-expanded={isOpen}
                title={name}
                onClick={(event) => {
                  if (!isPlainClick(event)) return
                  event.preventDefault()
                  list.open(id)
                }}
                className="truncate text-14 font-medium text-ink-1 after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:rounded-6 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
              >
                {name}
              </a>
              {badges}
            </div>
            {subtitle !== undefined && <div className="truncate text-12 text-ink-3">{subtitle}</div>}
          </div>
        </div>
      </td>
      {columns.map((column, index) => (
        <Cell key={column.key} column={column} row={row} visibility={visibilityOf(index, open)} />
      ))}
    </tr>
  )
}

const CELL = 'p-0 align-middle lg:border-b lg:border-line lg:px-3 lg:py-2 lg:[tr:last-child>&]:border-b-0'

/** Columns that stay visible beside an open side panel, if there is room. */
const COLUMNS_BESIDE_PANEL = 2

export function visibilityOf(index: number, open: string | undefined): string {
  if (open === undefined) return 'lg:table-cell'
  return index < COLUMNS_BESIDE_PANEL ? 'lg:max-[1299px]:hidden min-[1300px]:table-cell' : 'lg:hidden'
}

function Cell<R>({ column, row, visibility }: { column: Column<R>; row: R; visibility: string }) {
  const { inCard = 'titled', title, alignEnd = false, className, isEmpty, cell } = column
  return (
    <td
      role="cell"
      className={cx(
        CELL,
        visibility,
        isEmpty?.(row) ? 'hidden' : 'flex min-w-0 items-center gap-2',
        alignEnd && 'lg:text-right',
        className,
      )}
    >
      {inCard === 'titled' && (
        // Cards have no column headers.
        <span className="shrink-0 text-12 text-ink-3 lg:hidden">{title}</span>
      )}
      <span className="min-w-0">{cell(row)}</span>
    </td>
  )
}

interface RowCheckboxProps {
  label: string
  checked: boolean
  mixed?: boolean
  disabled?: boolean | undefined
  onToggle: (range: boolean) => void
}

/** Has a large hit area. With Shift, `range` is true. */
export function RowCheckbox({ label, checked, mixed = false, disabled, onToggle }: RowCheckboxProps) {
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (box.current) box.current.indeterminate = mixed
  }, [mixed])
  return (
    <label className="relative z-1 -m-2 flex size-8 items-center justify-center p-2 pointer-coarse:-m-3.5 pointer-coarse:size-11 select-none">
      <input
        ref={box}
        type="checkbox"
        aria-label={label}
        checked={checked}
        disabled={disabled}
        // The native event is the click: a MouseEvent in Safari, a PointerEvent elsewhere.
        onChange={(event) => onToggle(event.nativeEvent instanceof MouseEvent && event.nativeEvent.shiftKey)}
        onClick={(event) => event.stopPropagation()}
        className="size-4 accent-(--accent)"
      />
    </label>
  )
}

/** A click without modifier keys, which open another tab or window. */
function isPlainClick(event: ReactMouseEvent): boolean {
  return event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
}
