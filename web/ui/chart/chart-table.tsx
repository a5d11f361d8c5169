import { type ReactNode, useState } from 'react'
import { m } from '#messages'
import { formatNumber } from '#web/lib/format.ts'
import { cx } from '#web/ui/class-names.ts'

/** What a chart shows, in a part that opens and scrolls. Its content renders when it is open: a year has many rows. */
export function ChartDetails({ summary, label, children }: { summary: string; label: string; children: () => ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className="text-13" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="inline-flex min-h-6 items-center rounded-6 font-medium text-accent hover:underline pointer-coarse:min-h-11">
        {summary}
      </summary>
      {isOpen && (
        <div
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keyboard users must be able to scroll it
          tabIndex={0}
          role="region"
          aria-label={label}
          className="mt-2 max-h-64 overflow-auto rounded-6 border border-line"
        >
          {children()}
        </div>
      )}
    </details>
  )
}

interface ChartTableProps {
  /** The first column is the time. */
  columns: readonly string[]
  rows: () => readonly (readonly (string | number)[])[]
}

/** A chart's numbers, for screen readers and exact reading. */
export function ChartTable({ columns, rows }: ChartTableProps) {
  return (
    <ChartDetails summary={m.ui_chart_table()} label={m.ui_chart_table_label()}>
      {() => (
        <table className="w-full text-left tabular-nums">
          <thead className="sticky top-0 bg-surface-2 text-12 text-ink-3">
            <tr>
              {columns.map((column, at) => (
                <th key={column} scope="col" className={cx('px-2 py-1.5 font-medium sm:px-3 sm:whitespace-nowrap', at > 0 && 'text-right')}>
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {rows().map((row, index) => (
              // Two rows may share a time.
              // oxlint-disable-next-line react/no-array-index-key
              <tr key={index}>
                {row.map((cell, at) => (
                  <td key={columns[at]} className={cx('px-2 py-1 sm:px-3', at === 0 ? 'text-ink-2 sm:whitespace-nowrap' : 'text-right')}>
                    {typeof cell === 'number' ? formatNumber(cell) : cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </ChartDetails>
  )
}
