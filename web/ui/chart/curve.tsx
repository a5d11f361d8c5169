import type { SVGProps } from 'react'
import { cx } from '#web/ui/class-names.ts'

/** In view box units, where each value is one unit wide. */
export const SPARKLINE_HEIGHT = 16
/** Padding for half the stroke width. */
const PADDING = 1

/** Where a share of the scale is, from the top: 0 to 1 of the height. */
export function heightAt(value: number): number {
  return (SPARKLINE_HEIGHT - PADDING - value * (SPARKLINE_HEIGHT - 2 * PADDING)) / SPARKLINE_HEIGHT
}

type SparklinePaths = NonNullable<ReturnType<typeof sparklineOf>>

const round = (value: number) => String(Math.round(value * 100) / 100)

/** Null with fewer than two values, which make no line. A null value is a gap. @param top of the scale; the highest value by default */
export function sparklineOf(values: readonly (number | null)[], top?: number) {
  const known = values.filter((value) => value !== null)
  if (known.length < 2) return null
  const max = Math.max(...known)
  const yOf = (value: number) => round(heightAt(value / Math.max(1, top ?? max)) * SPARKLINE_HEIGHT)
  // With a scale, the area ends at its zero.
  const bottom = top === undefined ? SPARKLINE_HEIGHT : yOf(0)
  let line = ''
  let area = ''
  for (let start = 0; start < values.length; start += 1) {
    if (values[start] === null) continue
    let end = start
    let points = ''
    for (let value = values[end]; value !== null && value !== undefined; value = values[end]) {
      points += `L${end + 0.5} ${yOf(value)}`
      end += 1
    }
    // From the start of the first step to the end of the last.
    const segment = `${start} ${yOf(values[start] ?? 0)}${points}L${end} ${yOf(values[end - 1] ?? 0)}`
    line += `M${segment}`
    area += `M${start} ${bottom}L${segment}V${bottom}Z`
    start = end
  }
  return { line, area, max, width: values.length }
}

interface CurveProps extends Omit<SVGProps<SVGSVGElement>, 'of' | 'className'> {
  of: SparklinePaths
  className?: string
  /** Without the area below. */
  isLine?: boolean
}

/** As large as its place. Hidden from screen readers unless it has a role. */
export function Curve({ of: { line, area, width }, className = 'size-full text-accent', isLine = false, ...attributes }: CurveProps) {
  return (
    <svg
      aria-hidden={attributes.role === undefined}
      viewBox={`0 0 ${width} ${SPARKLINE_HEIGHT}`}
      preserveAspectRatio="none"
      strokeWidth="1.5"
      className={className}
      {...attributes}
    >
      {!isLine && <path d={area} fill="currentColor" fillOpacity="0.15" />}
      <path d={line} fill="none" stroke="currentColor" strokeLinejoin="round" vectorEffect="non-scaling-stroke" />
    </svg>
  )
}

/** In place of a small curve without data. */
export function DashedLine({ className }: { className: string }) {
  return (
    <svg aria-hidden="true" className={cx('text-line-strong', className)}>
      <path d="M0 1H1000" transform="translate(0 14)" fill="none" stroke="currentColor" strokeDasharray="3 4" />
    </svg>
  )
}

/** Two days whose evenings have the most players. */
const SAMPLE = sparklineOf(
  Array.from({ length: 64 }, (_, step) => 50 - 26 * Math.cos((step / 32) * 2 * Math.PI) + 9 * Math.cos((step / 16) * 2 * Math.PI + 1)),
  100,
)

/** In place of a graph without data: a sentence, and what the graph will look like. Screen readers have only the sentence. */
export function EmptyGraph({ title, hint, className }: { title: string; hint?: string; className: string }) {
  return (
    <div className={cx('flex flex-col text-center', className)}>
      <p className={hint === undefined ? 'text-13 text-ink-2' : 'mt-2 font-medium'}>{title}</p>
      {hint !== undefined && <p className="mt-1 text-13 text-ink-2">{hint}</p>}
      {SAMPLE && <Curve of={SAMPLE} className="mt-1 min-h-0 w-full flex-1 text-line" />}
    </div>
  )
}
