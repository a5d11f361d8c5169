/** The players of the last seven days. The summary below says the same in words. */
import type { PublicServerView } from '#contract/public-site.ts'
import { m } from '#messages'
import { SPARKLINE_HEIGHT, sparklineOf } from '#web/features/history/sparkline-path.ts'
import { formatNumber } from '#web/lib/format.ts'
import { formatTime } from '#web/lib/time.ts'

const DAY_MS = 86_400_000

export function WeekGraph({ week }: { week: PublicServerView['week'] }) {
  const sparkline = week && sparklineOf(week.highest)
  if (!week || !sparkline) return <p className="flex h-40 items-center justify-center text-13 text-ink-3">{m.public_graph_empty()}</p>
  const { highest, from, stepMs } = week
  const end = from + highest.length * stepMs
  const days = Array.from({ length: 8 }, (_, day) => Math.ceil(from / DAY_MS) * DAY_MS + day * DAY_MS).filter((at) => at < end)
  const shareOf = (at: number) => `${Math.round(((at - from) / (end - from)) * 10_000) / 100}%`
  return (
    <div className="relative mt-5 h-40 pb-6">
      <span className="absolute -top-5 right-0 text-12 text-ink-3 tabular-nums">{formatNumber(sparkline.max)}</span>
      {days.map((at) => (
        <svg key={at} aria-hidden="true" className="absolute inset-0 size-full overflow-visible">
          <line x1={shareOf(at)} x2={shareOf(at)} y1="0" y2="136" className="stroke-line" />
          <text x={shareOf(at)} dx="4" y="152" className="fill-ink-3 text-12">
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
