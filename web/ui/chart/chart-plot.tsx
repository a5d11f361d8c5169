import { memo, type PointerEvent } from 'react'
import { cx } from '#web/ui/class-names.ts'
import { Axes } from './axes.tsx'
import type { ChartData, ChartLine, MarkKind } from './chart-data.ts'
import { groupMarks } from './chart-marks.ts'
import { percent, valueTicks } from './chart-scale.ts'
import { Curve } from './curve.tsx'
import { heightAt, SPARKLINE_HEIGHT, sparklineOf } from './sparkline-path.ts'

const COLOURS: Readonly<Record<ChartLine['type'], string>> = { area: 'text-accent', line: 'text-ink-2', compare: 'text-ink-3' }

interface ChartPlotProps {
  data: ChartData
  /** The step under the cursor. */
  at: number | null
  onPoint: (index: number | null) => void
}

/** Touch can scroll the page vertically. The touched step stays selected. */
export function ChartPlot({ data, at, onPoint }: ChartPlotProps) {
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
