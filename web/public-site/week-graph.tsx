/** The players of the last seven days. The script shows each step under the pointer and the arrow keys (enhance/week-graph.ts). */
import type { PublicServerView } from '#contract/public-site/public-site.ts'
import { m } from '#messages'
import { formatNumber } from '#web/lib/format.ts'
import { Axes } from '#web/ui/chart/axes.tsx'
import { valueTicks } from '#web/ui/chart/chart-scale.ts'
import { Curve, EmptyGraph, sparklineOf } from '#web/ui/chart/curve.tsx'

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
        <Axes values={ticks} from={from} to={from + highest.length * stepMs} stepSeconds={stepMs / 1000} zone="UTC" />
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
