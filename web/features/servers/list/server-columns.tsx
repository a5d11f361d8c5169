import { ArrowDown, ArrowUp } from 'lucide-react'
import type { ReactNode } from 'react'
import { m } from '#messages'
import { cx } from '#web/ui/class-names.ts'
import type { Sort, SortKey } from './list-state.ts'

export const GRID =
  'sm:grid-cols-[minmax(0,1fr)_auto_36px] lg:grid-cols-[minmax(0,1fr)_190px_104px_108px_36px] xl:grid-cols-[minmax(200px,1fr)_190px_190px_minmax(0,170px)_108px_36px]'
/** With checkboxes. */
export const SELECTABLE_GRID =
  'grid-cols-[16px_minmax(0,1fr)] sm:grid-cols-[16px_minmax(0,1fr)_auto_36px] lg:grid-cols-[16px_minmax(0,1fr)_190px_104px_108px_36px] xl:grid-cols-[16px_minmax(200px,1fr)_190px_190px_minmax(0,170px)_108px_36px]'

const COLUMNS = [
  { title: m.servers_row_server(), sort: 'name' },
  { title: m.servers_row_status(), sort: 'status' },
  { title: m.servers_row_players(), sort: 'players' },
  { title: m.servers_row_tags(), className: 'lg:max-xl:hidden' },
  { title: m.servers_row_last_announce(), sort: 'last_announce' },
] as const

interface ServerColumnsProps {
  /** The select-all checkbox. Null leaves room for the checkboxes of the rows. */
  select?: ReactNode
  sort?: Sort
  onSort?: (key: SortKey) => void
  rowIndex?: number | undefined
}

/** On narrow screens, only screen readers get the column names. */
export function ServerColumns({ select, sort, onSort, rowIndex }: ServerColumnsProps) {
  return (
    <div
      role="row"
      aria-rowindex={rowIndex}
      className={cx(
        'gap-4 border-line px-4 text-12 text-ink-3 max-lg:sr-only lg:grid lg:h-9 lg:items-center lg:border-b',
        select === undefined ? GRID : SELECTABLE_GRID,
      )}
    >
      {select !== undefined && (
        <span role="columnheader">
          {select}
          {select === null && <span className="sr-only">{m.servers_row_selection()}</span>}
        </span>
      )}
      {COLUMNS.map((column) => {
        const { title } = column
        const key = 'sort' in column ? column.sort : undefined
        const order = key !== undefined && sort?.key === key ? sort.order : undefined
        return (
          <span
            key={title}
            role="columnheader"
            aria-sort={order === undefined ? undefined : order === 'asc' ? 'ascending' : 'descending'}
            className={'className' in column ? column.className : undefined}
          >
            {key === undefined || !onSort ? title : <SortButton title={title} order={order} onSort={() => onSort(key)} />}
          </span>
        )
      })}
      <span role="columnheader">
        <span className="sr-only">{m.ui_actions()}</span>
      </span>
    </div>
  )
}

/** Not focusable while the column names are hidden: the menu above the list sorts too. */
function SortButton({ title, order, onSort }: { title: string; order: Sort['order'] | undefined; onSort: () => void }) {
  const Icon = order === 'desc' ? ArrowDown : ArrowUp
  return (
    <>
      <span className="lg:hidden">{title}</span>
      <button
        type="button"
        onClick={onSort}
        className={cx(
          'group -mx-1.5 inline-flex min-h-7 items-center gap-1 rounded-6 px-1.5 whitespace-nowrap hover:text-ink-1 max-lg:hidden',
          order !== undefined && 'font-medium text-ink-1',
        )}
      >
        {title}
        <Icon size={13} aria-hidden="true" className={cx(order === undefined && 'opacity-0 group-hover:opacity-60')} />
      </button>
    </>
  )
}
