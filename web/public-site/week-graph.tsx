/** The players of the last seven days. The script shows each step under the pointer and the arrow keys (enhance/week-graph.ts). */
import type { PublicServerView } from '#contract/public-site/public-site.ts'
import { m } from '#messages'
import { formatNumber } from '#web/lib/format.ts'
import { formatTime } from '#web/lib/time.ts'
import { percent, valueTicks } from '#web/ui/chart/chart-scale.ts'
import { Curve, EmptyGraph } from '#web/ui/chart/curve.tsx'
import { sparklineOf } from '#web/ui/chart/sparkline-path.ts'
import { ValueAxis } from '#web/ui/chart/value-axis.tsx'
import { cx } from '#web/ui/class-names.ts'

const DAY_MS = 86_400_000

export function WeekGraph({ week }: { week: PublicServerView['week'] }) {
  const ticks = valueTicks(week?.peak?.players ?? 0)
  const top = ticks.at(-1) ?? 1
  const sparkline = week && sparklineOf(week.highest, top)
  if (!week || !sparkline) return <EmptyGraph title={m.public_graph_empty()} className="h-53" />
  const { highest, from, stepMs } = week
  const summary = m.public_graph_highest({ players: formatNumber(sparkline.max) })
  return (
    <div
      data-graph={JSON.stringify({ from, stepMs, top, highest })}
      data-highest={m.public_graph_highest({ players: '{players}' })}
      data-none={m.public_graph_no_data()}
      className="group relative touch-pan-y pb-6"
    >
      <p data-graph-text={summary} className="h-6 text-right text-13 text-ink-2 tabular-nums">
        {summary}
      </p>
      <div className="relative mt-1 ml-9 h-40 rounded-6 outline-offset-2 outline-accent has-focus-visible:outline-2">
        <Axis week={week} ticks={ticks} />
        <Curve of={sparkline} role="img" aria-label={`${m.public_graph_label()}. ${summary}`} className="relative size-full text-accent" />
        <span
          data-graph-line
          aria-hidden="true"
          className="pointer-events-none absolute inset-y-0 hidden border-l border-line-strong group-[.graph-chosen]:block"
        />
        <span
          data-graph-dot
          aria-hidden="true"
          className="pointer-events-none absolute -mt-1.25 -ml-1.25 hidden size-2.5 rounded-full border-2 border-surface-0 bg-accent group-[.graph-chosen]:block"
        />
        <input
          type="range"
          min={0}
          max={highest.length - 1}
          defaultValue={highest.length - 1}
          aria-label={m.public_graph_label()}
          data-graph-cursor=""
          className="needs-script pointer-events-none absolute inset-0 m-0 size-full opacity-0"
        />
      </div>
    </div>
  )
}

/** Players at the left, days below. */
function Axis({ week: { from, stepMs, highest }, ticks }: { week: NonNullable<PublicServerView['week']>; ticks: readonly number[] }) {
  const end = from + highest.length * stepMs
  const days = Array.from({ length: 8 }, (_, index) => Math.ceil(from / DAY_MS) * DAY_MS + index * DAY_MS).filter((day) => day < end)
  const shareOf = (at: number) => percent((at - from) / (end - from))
  return (
    <svg aria-hidden="true" className="absolute inset-0 size-full overflow-visible">
      <ValueAxis ticks={ticks} />
      {days.map((day, index) => (
        <g key={day}>
          <line x1={shareOf(day)} x2={shareOf(day)} y1="0" y2="100%" className="stroke-line" />
          {/* The last day may have no room yet. On phones a date is as wide as a day. */}
          {day + DAY_MS * 0.8 < end && (
            <text
              x={shareOf(day + DAY_MS / 2)}
              y="100%"
              dy="18"
              textAnchor="middle"
              className={cx('fill-ink-3 text-12', index % 2 === 1 && 'max-sm:hidden')}
            >
              {formatTime(day, 'day', 'UTC')}
            </text>
          )}
        </g>
      ))}
    </svg>
  )
}
