import type { SVGProps } from 'react'
import { cx } from '#web/ui/class-names.ts'
import { SPARKLINE_HEIGHT, type SparklinePaths, sparklineOf } from './sparkline-path.ts'

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
