import type { ReactNode } from 'react'
import { formatNumber } from '#web/lib/format.ts'
import { Skeleton } from '#web/ui/states.tsx'

interface BarRow {
  readonly key: string
  readonly name: ReactNode
  readonly icon?: ReactNode
  /** The first decides the length of the bar. */
  readonly numbers: readonly [number, number]
}

interface BarTableProps {
  /** Of the name and of both numbers. */
  columns: readonly [string, string, string]
  /** Undefined while loading. */
  rows: readonly BarRow[] | undefined
  /** In place of rows. */
  empty: string
  /** Its height with all rows. */
  className: string
}

/** Names with two numbers, and bars in proportion to the highest. As high while loading and with few rows as with all. */
export function BarTable({ columns, rows, empty, className }: BarTableProps) {
  return (
    <div className={className}>
      {rows === undefined ? (
        <Skeleton className="h-full" />
      ) : rows.length === 0 ? (
        <p className="pt-8 text-13 text-pretty text-ink-2">{empty}</p>
      ) : (
        <table className="w-full table-fixed text-left text-13">
          <thead className="text-12 text-ink-3">
            <tr className="h-7">
              {columns.map((column, index) => (
                <th key={column} scope="col" className={index === 0 ? 'font-medium' : 'w-20 text-right font-medium'}>
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="tabular-nums">
            {rows.map((row) => (
              <Row key={row.key} row={row} max={Math.max(1, ...rows.map(({ numbers }) => numbers[0]))} />
            ))}
          </tbody>
        </table>
      )}
    </div>
  )
}

function Row({ row: { name, icon, numbers }, max }: { row: BarRow; max: number }) {
  const width = `${(100 * numbers[0]) / max}%`
  return (
    <tr className="h-9 pointer-coarse:h-11">
      <td className="pr-3">
        <div className="flex items-center gap-2.5">
          {icon}
          <div className="min-w-0 flex-1">
            {name}
            <div aria-hidden="true" data-graph className="h-1 min-w-0.5 rounded-[2px] bg-accent" style={{ width }} />
          </div>
        </div>
      </td>
      <td className="text-right font-semibold">{formatNumber(numbers[0])}</td>
      <td className="text-right text-ink-2">{formatNumber(numbers[1])}</td>
    </tr>
  )
}
