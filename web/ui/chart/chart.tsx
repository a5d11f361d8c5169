import { type KeyboardEvent, useState } from 'react'
import { m } from '#messages'
import { formatNumber } from '#web/lib/format.ts'
import type { ChartData } from './chart-data.ts'
import { ChartPlot } from './chart-plot.tsx'
import { stepTime } from './chart-scale.ts'
import { useTimeZone } from '#web/lib/time.ts'
import { cx } from '#web/ui/class-names.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'

interface ChartProps {
  label: string
  /** Undefined while loading. */
  data: ChartData | undefined
}

export function Chart({ label, data }: ChartProps) {
  if (data) return <LoadedChart label={label} data={data} />
  return (
    <>
      <Skeleton className="h-5 w-40" />
      <Skeleton className="mt-2 h-56" />
    </>
  )
}

/** For keyboard and screen readers, the cursor is a slider. */
function LoadedChart({ label, data }: ChartProps & { data: ChartData }) {
  const { times } = data
  useTimeZone()
  const [time, setTime] = useState<number | null>(null)
  // New data shifts the steps. The cursor keeps its time.
  const index = time === null ? -1 : times.indexOf(time)
  const at = index === -1 ? null : index
  const point = (step: number | null) => setTime(step === null ? null : (times[step] ?? null))
  const last = times.length - 1
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || at === null) return
    event.stopPropagation()
    point(null)
  }
  return (
    <figure aria-label={label}>
      <Readout data={data} at={at} />
      <div className="relative mt-2 h-56 rounded-6 outline-accent has-focus-visible:outline-2 has-focus-visible:outline-offset-2">
        <ChartPlot data={data} at={at} onPoint={point} />
        <input
          type="range"
          min={0}
          max={last}
          value={at ?? last}
          aria-label={m.ui_chart_cursor({ chart: label })}
          aria-valuetext={at === null ? m.ui_chart_no_time() : stepText(data, at)}
          onChange={(event) => point(event.target.valueAsNumber)}
          onFocus={(event) => event.target.matches(':focus-visible') && point(at ?? last)}
          onBlur={() => point(null)}
          onKeyDown={onKeyDown}
          // The chart itself shows the cursor and the focus.
          className="pointer-events-none absolute inset-0 m-0 size-full opacity-0"
        />
      </div>
    </figure>
  )
}

function stepText({ times, stepSeconds, lines, remarks }: ChartData, at: number): string {
  const numbers = lines.flatMap(({ label, values }) => {
    const value = values[at]
    return typeof value === 'number' ? [`${label} ${formatNumber(value)}`] : []
  })
  const parts = [...numbers, remarks?.[at] ?? (numbers.length === 0 ? m.ui_chart_no_data() : '')].filter((part) => part !== '')
  return `${stepTime(times[at] ?? 0, stepSeconds)}: ${parts.join(', ')}`
}

/** Its height is constant. */
function Readout({ data: { times, stepSeconds, lines, bands, remarks }, at }: { data: ChartData; at: number | null }) {
  const hasBands = bands?.steps.includes(true) === true
  return (
    <div className="flex flex-wrap justify-between gap-x-4 text-12 text-ink-2 tabular-nums">
      <div className="flex flex-wrap gap-x-4">
        {lines.map(({ label, values, type }) => (
          <span key={label} className="inline-flex min-h-5 items-center gap-1.5">
            <Swatch type={type} />
            {label}
            {at !== null && <strong className="font-semibold text-ink-1">{values[at] == null ? '–' : formatNumber(values[at])}</strong>}
          </span>
        ))}
        {hasBands && (
          <span className="inline-flex min-h-5 items-center gap-1.5">
            <Swatch type="band" />
            {bands.label}
          </span>
        )}
      </div>
      <span className="min-h-5 leading-5 max-sm:w-full">
        {at !== null && [stepTime(times[at] ?? 0, stepSeconds), remarks?.[at] ?? ''].filter((part) => part !== '').join(' · ')}
      </span>
    </div>
  )
}

const SWATCHES = {
  area: 'h-2.5 border-t-2 border-accent bg-accent/20',
  line: 'border-t-2 border-ink-2',
  compare: 'border-t-2 border-dashed border-ink-3',
  band: 'h-2.5 border-b-2 border-danger bg-danger/20',
} as const

function Swatch({ type }: { type: keyof typeof SWATCHES }) {
  return <span aria-hidden="true" className={cx('w-3.5', SWATCHES[type])} />
}
