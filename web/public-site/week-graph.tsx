/** The players of the last seven days. The summary below says the same in words. */
import type { PublicServerView } from '#contract/public-site.ts'
import { m } from '#messages'
import { SPARKLINE_HEIGHT, sparklineOf } from '#web/features/history/sparkline-path.ts'
import { formatNumber } from '#web/lib/format.ts'
import { formatTime } from '#web/lib/time.ts'
import { cx } from '#web/ui/class-names.ts'

const DAY_MS = 86_400_000

export function WeekGraph({ week }: { week: PublicServerView['week'] }) {
  const sparkline = week && sparklineOf(week.highest)
  if (!week || !sparkline) return <p className="flex h-40 items-center justify-center text-13 text-ink-3">{m.public_graph_empty()}</p>
  const { highest, from, stepMs } = week
  const end = from + highest.length * stepMs
  const days = Array.from({ length: 8 }, (_, index) => Math.ceil(from / DAY_MS) * DAY_MS + index * DAY_MS).filter((day) => day < end)
  const shareOf = (at: number) => `${Math.round(((at - from) / (end - from)) * 10_000) / 100}%`
  return (
    <div className="relative mt-5 h-40 pb-6">
      <span className="absolute -top-5 right-0 text-12 text-ink-3 tabular-nums">{formatNumber(sparkline.max)}</span>
      {days.map((day, index) => (
        <svg key={day} aria-hidden="true" className="absolute inset-0 size-full overflow-visible">
          <line x1={shareOf(day)} x2={shareOf(day)} y1="0" y2="136" className="stroke-line" />
          {/* The last day may have no room yet. On phones a date is as wide as a day. */}
          {day + DAY_MS / 2 < end && (
            <text
              x={shareOf(day + DAY_MS / 2)}
              y="152"
              textAnchor="middle"
              className={cx('fill-ink-3 text-12', index % 2 === 1 && 'max-sm:hidden')}
            >
              {formatTime(day, 'day', 'UTC')}
            </text>
          )}
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
