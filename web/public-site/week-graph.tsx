/** The players of the last seven days. The summary below says the same in words. */
import type { PublicServerView } from '#contract/public-site.ts'
import { m } from '#messages'
import { SPARKLINE_HEIGHT, sparklineOf } from '#web/features/history/sparkline-path.ts'
import { formatNumber } from '#web/lib/format.ts'
import { formatTime } from '#web/lib/time.ts'
import { cx } from '#web/ui/class-names.ts'

const DAY_MS = 86_400_000
/** A label further right is on the left of its line, because it would not fit. */
const LAST_LABEL_SHARE = 0.9

export function WeekGraph({ week }: { week: PublicServerView['week'] }) {
  const sparkline = week && sparklineOf(week.highest)
  if (!week || !sparkline) return <p className="flex h-40 items-center justify-center text-13 text-ink-3">{m.public_graph_empty()}</p>
  const { highest, from, stepMs } = week
  const end = from + highest.length * stepMs
  const days = Array.from({ length: 8 }, (_, day) => Math.ceil(from / DAY_MS) * DAY_MS + day * DAY_MS).filter((at) => at < end)
  const shareOf = (at: number) => (at - from) / (end - from)
  const percentOf = (at: number) => `${Math.round(shareOf(at) * 10_000) / 100}%`
  const isNearEnd = (at: number) => shareOf(at) > LAST_LABEL_SHARE
  return (
    <div className="relative mt-5 h-40 pb-6">
      <span className="absolute -top-5 right-0 text-12 text-ink-3 tabular-nums">{formatNumber(sparkline.max)}</span>
      {days.map((at, index) => (
        <svg key={at} aria-hidden="true" className="absolute inset-0 size-full overflow-visible">
          <line x1={percentOf(at)} x2={percentOf(at)} y1="0" y2="136" className="stroke-line" />
          <text
            x={percentOf(at)}
            dx={isNearEnd(at) ? -4 : 4}
            y="152"
            textAnchor={isNearEnd(at) ? 'end' : undefined}
            // On phones a date is as wide as a day.
            className={cx('fill-ink-3 text-12', index % 2 === 0 && 'max-sm:hidden')}
          >
            {formatTime(at, 'day', 'UTC')}
          </text>
        </svg>
      ))}
      <svg
        role="img"
        aria-label={m.public_graph_label()}
        viewBox={`0 0 ${highest.length} ${SPARKLINE_HEIGHT}`}
        preserveAspectRatio="none"
        className="relative h-[136px] w-full border-b border-line text-accent"
      >
        <path d={sparkline.area} fill="currentColor" fillOpacity="0.14" />
        <path
          d={sparkline.line}
          fill="none"
          stroke="currentColor"
          strokeWidth="2"
          strokeLinejoin="round"
          vectorEffect="non-scaling-stroke"
        />
      </svg>
    </div>
  )
}
