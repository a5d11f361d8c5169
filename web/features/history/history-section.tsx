/** Shared by the history of a server and of the whole list. */
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Download } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { COMPARED_RANGES, type HistoryRange } from '#contract/history/history.ts'
import { m } from '#messages'
import { saveFile } from '#web/lib/csv.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useTimeZone } from '#web/lib/time.ts'
import { Button } from '#web/ui/button.tsx'
import { isInDays, periodText } from '#web/ui/chart/chart-scale.ts'
import { ChartTable } from '#web/ui/chart/chart-table.tsx'
import { cx } from '#web/ui/class-names.ts'
import { QueryPending, Skeleton } from '#web/ui/states.tsx'
import { csvFile, type Peak, tableRows } from './history-data.ts'

const RANGE_TEXTS = {
  '24h': m.history_range_day(),
  '7d': m.history_range_week(),
  '31d': m.history_range_month(),
  '1y': m.history_range_year(),
} as const satisfies Record<(typeof RANGES)[number], string>

interface HistorySectionProps {
  id: string
  title: string
  range: HistoryRange
  onChoose: (range: HistoryRange) => void
  query: { error: Error | null; isPlaceholderData: boolean; refetch: () => Promise<unknown> }
  /** Beside the range. */
  action?: ReactNode
  className?: string
  children: ReactNode
}

/** A heading with a range selector. Shows the previous range while the next one loads. */
export function HistorySection({ id, title, range, onChoose, query, action, className, children }: HistorySectionProps) {
  return (
    <section aria-labelledby={id} className={className}>
      <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
        <h2 id={id} tabIndex={-1} className="font-medium outline-none">
          {title}
        </h2>
        <div className="flex flex-wrap items-center gap-2">
          {action}
          <div role="group" aria-label={m.history_range()} className="flex gap-0.5 rounded-6 border border-line bg-surface-0 p-0.5">
            {RANGES.map((each) => (
              <button
                key={each}
                type="button"
                aria-pressed={each === range}
                onClick={() => onChoose(each)}
                className={cx(
                  'min-h-7 rounded-6 px-2.5 text-13 font-medium tabular-nums transition-colors duration-100 pointer-coarse:min-h-11',
                  each === range ? 'bg-surface-2 text-ink-1' : 'text-ink-3 hover:text-ink-1',
                )}
              >
                {RANGE_TEXTS[each]}
              </button>
            ))}
          </div>
        </div>
      </div>
      <QueryPending query={query} className="my-4" />
      <div aria-busy={query.isPlaceholderData} className={cx('transition-opacity duration-100', query.isPlaceholderData && 'opacity-60')}>
        {children}
      </div>
    </section>
  )
}

/** @param value undefined while loading */
export function Figure({ label, value, at }: { label: string; value: string | undefined; at?: string | undefined }) {
  return (
    <div>
      <dt className="text-12 text-ink-3">{label}</dt>
      <dd className="min-h-7 text-20 font-semibold tabular-nums">
        {value ?? <Skeleton className="inline-block h-7 w-16 align-top" />}
        {at !== undefined && (
          <span className="ml-2 inline-block text-12 font-normal text-ink-3 max-sm:ml-0 max-sm:block max-sm:min-h-8">{at}</span>
        )}
      </dd>
    </div>
  )
}

/**
 * @param peak undefined while loading, null without data.
 * @param now the peak if it is higher, because the history lacks the last minutes.
 */
export function PeakFigure({ peak, now = 0 }: { peak: Peak | null | undefined; now?: number | undefined }) {
  useTimeZone()
  if (peak && now > peak.max) return <Figure label={m.history_peak()} value={formatNumber(now)} at={m.history_peak_now()} />
  const value = peak === null ? '–' : peak && formatNumber(peak.max)
  // Keeps the line of the time while loading.
  const at = peak === undefined ? '\u00A0' : peak === null ? undefined : periodText(peak.at, peak.seconds)
  return <Figure label={m.history_peak()} value={value} at={at} />
}

/** `34`, `3.4`, or a dash without data. */
export function meanText(mean: number | null): string {
  return mean === null ? '–' : formatNumber(mean, { maximumFractionDigits: mean < 10 ? 1 : 0 })
}

interface HistoryTableProps {
  history: Parameters<typeof csvFile>[0]
  columns: Parameters<typeof csvFile>[1]
  /** The file name without its extension. */
  name: string
}

export function HistoryTable({ history, columns, name }: HistoryTableProps) {
  useTimeZone()
  const save = () => saveFile(csvFile(history, columns), `${name}.csv`, 'text/csv;charset=utf-8')
  const timeTitle = isInDays(history.step_seconds) ? m.history_column_day() : m.history_column_time()
  return (
    <div className="relative mt-3 min-h-9 pt-1.5 pointer-coarse:min-h-11 pointer-coarse:pt-0">
      <ChartTable columns={[timeTitle, ...columns.map(({ title }) => title)]} rows={() => tableRows(history, columns)} />
      <Button variant="quiet" icon={<Download size={15} aria-hidden="true" />} onClick={save} className="absolute top-0 -right-2 text-13">
        {m.history_download()}
      </Button>
    </div>
  )
}

const RANGES = ['24h', '7d', '31d', '1y'] as const satisfies readonly HistoryRange[]
const [DEFAULT_RANGE] = RANGES

export const canCompare = (range: HistoryRange) => COMPARED_RANGES.some((each) => each === range)

/** The range, and whether to show the week before: the URL's `range` and `compare`. No route has to declare them. */
export function useHistorySearch() {
  const raw: { range?: unknown; compare?: unknown } = useSearch({ strict: false })
  const navigate = useNavigate()
  const range = RANGES.find((each) => each === raw.range) ?? DEFAULT_RANGE
  const compare = raw.compare === 'week' ? raw.compare : undefined
  const change = (to: { range?: HistoryRange; compare?: 'week' | undefined }, replace = false) => {
    const next = { range, compare, ...to }
    const params = { ...next, range: next.range === DEFAULT_RANGE ? undefined : next.range }
    void navigate({ to: '.', search: ((search: object) => ({ ...search, ...params })) as never, replace, resetScroll: false })
  }
  // Removes unknown and default values from the URL.
  const normalize = useEffectEvent(() => change({}, true))
  const isNormalized = raw.compare === compare && raw.range === (range === DEFAULT_RANGE ? undefined : range)
  useEffect(() => {
    if (!isNormalized) normalize()
  }, [isNormalized])
  return {
    range,
    setRange: (next: HistoryRange) => change({ range: next }),
    isComparing: compare !== undefined && canCompare(range),
    setComparing: (isOn: boolean) => change({ compare: isOn ? 'week' : undefined }),
  }
}
