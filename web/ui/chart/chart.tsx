import { type KeyboardEvent, memo, type PointerEvent, useState } from 'react'
import { m } from '#messages'
import { formatNumber } from '#web/lib/format.ts'
import { useTimeZone } from '#web/lib/time.ts'
import { cx } from '#web/ui/class-names.ts'
import { Skeleton } from '#web/ui/states.tsx'
import { Axes } from './axes.tsx'
import { type ChartData, type ChartLine, groupMarks, type MarkKind } from './chart-data.ts'
import { percent, stepTime, valueTicks } from './chart-scale.ts'
import { Curve, heightAt, SPARKLINE_HEIGHT, sparklineOf } from './curve.tsx'

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

const COLOURS: Readonly<Record<ChartLine['type'], string>> = { area: 'text-accent', line: 'text-ink-2', compare: 'text-ink-3' }

/** Touch can scroll the page vertically. The touched step stays selected. @param at the step under the cursor */
function ChartPlot({ data, at, onPoint }: { data: ChartData; at: number | null; onPoint: (index: number | null) => void }) {
  const last = data.times.length - 1
  const point = ({ currentTarget, clientX }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    onPoint(Math.min(last, Math.max(0, Math.floor(((clientX - left) / width) * (last + 1)))))
  }
  return (
    <div
      data-plot
      className="absolute inset-0 mb-7 ml-10 touch-pan-y"
      onPointerDown={point}
      onPointerMove={point}
      onPointerLeave={({ pointerType }) => pointerType !== 'touch' && onPoint(null)}
    >
      <Drawing data={data} />
      {at !== null && <Cursor data={data} at={at} />}
    </div>
  )
}

const ticksOf = ({ lines }: ChartData) => valueTicks(Math.max(0, ...lines.flatMap(({ values }) => values.map((value) => value ?? 0))))

/** From the start of the first step to the end of the last. */
function rangeOf({ times, stepSeconds }: ChartData) {
  const [from = 0, last = from] = [times[0], times.at(-1)]
  return { from, to: last + stepSeconds * 1000 }
}

/** Not drawn again while the cursor moves. */
const Drawing = memo(function Drawing({ data }: { data: ChartData }) {
  const ticks = ticksOf(data)
  return (
    <>
      <Axes values={ticks} {...rangeOf(data)} stepSeconds={data.stepSeconds} />
      {data.bands && <Bands steps={data.bands.steps} />}
      {data.lines.map(({ label, type, values }) => {
        const curve = sparklineOf(values, ticks.at(-1))
        return (
          curve && (
            <Curve
              key={label}
              of={curve}
              isLine={type !== 'area'}
              data-line={type}
              strokeWidth={type === 'line' ? 1 : 1.5}
              strokeDasharray={type === 'compare' ? '5 4' : undefined}
              className={cx('absolute inset-0 size-full', COLOURS[type])}
            />
          )
        )
      })}
      <Marks data={data} />
    </>
  )
})

/** Faint, over the full height, with a solid line at the bottom. */
function Bands({ steps }: { steps: readonly boolean[] }) {
  const pathOf = (step: string) => steps.map((isBand, index) => (isBand ? `M${index} ${SPARKLINE_HEIGHT}${step}` : '')).join('')
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${steps.length} ${SPARKLINE_HEIGHT}`}
      preserveAspectRatio="none"
      className="absolute inset-0 size-full"
    >
      <path data-line="band" d={pathOf(`v${-SPARKLINE_HEIGHT}h1v${SPARKLINE_HEIGHT}Z`)} className="fill-danger/11" />
      <path d={pathOf('h1')} vectorEffect="non-scaling-stroke" strokeWidth="6" className="stroke-danger" />
    </svg>
  )
}

/** A line that hangs from a symbol, whose shape and colour name the kind. */
const MARK =
  'chart-mark absolute inset-y-0 -ml-[7.5px] w-[15px] before:absolute before:top-1.5 before:bottom-0 before:left-[7px] before:w-px before:bg-current/45 after:absolute after:top-px after:left-[3px] after:size-[9px] after:border-2 after:border-current after:bg-surface-1'
const SYMBOLS: Readonly<Record<MarkKind, string>> = {
  restart: 'text-ink-2 after:rounded-full',
  update: 'text-info after:rotate-45 after:scale-90',
  ban: 'text-danger after:bg-current!',
}

/** The caller lists the same for the keyboard. */
function Marks({ data }: { data: ChartData }) {
  const { from, to } = rangeOf(data)
  return groupMarks(data.marks ?? [], from, to).map(({ position, kind, texts }) => (
    <span key={position} className={cx(MARK, SYMBOLS[kind])} data-tip={texts.join(' · ')} style={{ left: percent(position) }} />
  ))
}

function Cursor({ data, at }: { data: ChartData; at: number }) {
  const left = percent((at + 0.5) / data.times.length)
  const top = ticksOf(data).at(-1) ?? 1
  return (
    <>
      <span className="pointer-events-none absolute inset-y-0 border-l border-line-strong" style={{ left }} />
      {data.lines.map(({ label, type, values }) => {
        const value = values[at]
        if (typeof value !== 'number') return null
        const className = cx(
          'pointer-events-none absolute -mt-1 -ml-1 size-2 rounded-full border-2 border-current bg-surface-1',
          COLOURS[type],
        )
        return <span key={label} className={className} style={{ left, top: percent(heightAt(value / top)) }} />
      })}
    </>
  )
}
