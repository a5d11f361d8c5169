/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role -- shown as blocks they lose them in Safari */
import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide-react'
import type { Order } from '#web/lib/list-search.ts'
import { cx } from '#web/ui/class-names.ts'
import type { AnyList } from './use-list.ts'

interface ColumnHeadProps {
  column: { key: string; title: string; sort?: string; end?: boolean; className?: string }
  first?: boolean
  /** Where it is in the wide table. */
  place?: string
  list: AnyList
}

/** A column's name. Pressed, it sorts by the column; pressed again, the other way round. On a narrow screen only those that sort are there. */
export function ColumnHead({ column, first = false, place, list }: ColumnHeadProps) {
  const { sort, order } = list.state
  const { sort: by, title, end = false } = column
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
        end && 'lg:text-right',
        by === undefined && 'max-lg:sr-only',
        place,
        column.className,
      )}
    >
      {by === undefined ? (
        title
      ) : (
        <button
          type="button"
          onClick={() => list.sortBy(by, sorted ? other(order) : (list.sorts[by] ?? 'asc'))}
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

function other(order: Order): Order {
  return order === 'asc' ? 'desc' : 'asc'
}
