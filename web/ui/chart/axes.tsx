import { useTimeZone } from '#web/lib/time.ts'
import { cx } from '#web/ui/class-names.ts'
import { percent, timeTicks, valueText } from './chart-scale.ts'
import { heightAt } from './curve.tsx'

const MAX_ON_PHONE = 5

interface AxesProps {
  /** Round numbers, from zero. */
  values: readonly number[]
  /** In ms. */
  from: number
  to: number
  stepSeconds: number
  /** Instead of the user's. */
  zone?: string
}

/** Numbers at the left, and times below, in the place of the curve. */
export function Axes({ values, from, to, stepSeconds, zone }: AxesProps) {
  useTimeZone()
  const shareOf = (at: number) => (at - from) / (to - from)
  // The last one may have no room.
  const times = timeTicks(from, to, stepSeconds, zone).filter(({ at }) => shareOf(at) < 0.97)
  // A phone has room for some of them, with the first date.
  const every = Math.ceil(times.length / MAX_ON_PHONE)
  const firstDate = Math.max(
    0,
    times.findIndex(({ isDate }) => isDate),
  )
  return (
    <svg aria-hidden="true" className="absolute inset-0 size-full overflow-visible fill-ink-3 text-12 tabular-nums">
      {values.map((value) => {
        const y = percent(heightAt(value / (values.at(-1) ?? 1)))
        return (
          <g key={value}>
            <line x1="0" x2="100%" y1={y} y2={y} className="stroke-line" />
            <text x="-8" y={y} dy="4" textAnchor="end">
              {valueText(value)}
            </text>
          </g>
        )
      })}
      {times.map(({ at, text }, index) => (
        <text
          key={at}
          x={percent(shareOf(at))}
          y="100%"
          dy="18"
          textAnchor="middle"
          className={cx((index - firstDate) % every !== 0 && 'max-sm:hidden')}
        >
          {text}
        </text>
      ))}
    </svg>
  )
}
