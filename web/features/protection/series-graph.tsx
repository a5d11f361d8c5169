import { useId } from 'react'
import type { SeriesPoint } from '#contract/protection/protection.ts'
import { m } from '#messages'
import { formatNumber } from '#web/lib/format.ts'
import { exactTime, useTimeZone } from '#web/lib/time.ts'
import { ChartTable } from '#web/ui/chart/chart-table.tsx'
import { BOX, drawSeries, rangeText } from './series.ts'

/** Announced players and slots. Players above the slots are highlighted. */
export function SeriesGraph({ series }: { series: readonly SeriesPoint[] }) {
  useTimeZone()
  const id = useId()
  const drawing = drawSeries(series)
  const [first, last] = [series[0], series.at(-1)]
  if (!drawing || !first || !last) return null
  const { maxPlayers, minPlayers, maxSlots, minSlots, over } = drawing
  const players = rangeText(minPlayers, maxPlayers)
  const slots = rangeText(minSlots, maxSlots)
  const excess = over === 0 ? '' : m.protection_graph_excess({ count: formatNumber(over), all: formatNumber(series.length) })
  return (
    <figure>
      <div className="relative">
        <svg
          viewBox={`0 0 ${BOX.width} ${BOX.height}`}
          preserveAspectRatio="none"
          role="img"
          aria-labelledby={`${id}-title ${id}-desc`}
          className="block h-36 w-full rounded-6 border border-line bg-surface-0"
        >
          <title id={`${id}-title`}>{m.protection_graph_title()}</title>
          <desc id={`${id}-desc`}>
            {m.protection_graph_about({ from: exactTime(first.at), to: exactTime(last.at), players, slots })} {excess}
          </desc>
          <clipPath id={`${id}-above`}>
            <path d={drawing.above} />
          </clipPath>
          <path d={drawing.area} className="fill-accent opacity-15" />
          <path d={drawing.area} clipPath={`url(#${id}-above)`} className="fill-danger opacity-35" />
          <path d={drawing.players} fill="none" vectorEffect="non-scaling-stroke" strokeWidth="1.75" className="stroke-accent" />
          <path
            d={drawing.slots}
            fill="none"
            vectorEffect="non-scaling-stroke"
            strokeWidth="1.5"
            strokeDasharray="5 4"
            className="stroke-warn"
          />
        </svg>
      </div>
      <figcaption className="mt-2 text-12 text-ink-3">
        <span className="flex flex-wrap justify-between gap-x-4">
          <span>{exactTime(first.at)}</span>
          <span>{exactTime(last.at)}</span>
        </span>
        <Legend players={players} slots={slots} excess={excess} />
      </figcaption>
      <div className="mt-2">
        <ChartTable
          columns={[m.protection_graph_time(), m.protection_graph_players(), m.protection_graph_slots()]}
          rows={() => rowsOf(series)}
        />
      </div>
    </figure>
  )
}

function Legend({ players, slots, excess }: { players: string; slots: string; excess: string }) {
  return (
    <span className="mt-1 flex flex-wrap gap-x-4 gap-y-1 tabular-nums">
      <span className="inline-flex items-center gap-1.5">
        <Stroke className="text-accent" />
        {m.protection_graph_players_range({ range: players })}
      </span>
      <span className="inline-flex items-center gap-1.5">
        <Stroke className="text-warn" dashed />
        {m.protection_graph_slots_range({ range: slots })}
      </span>
      {excess !== '' && <span className="text-danger">{excess}</span>}
    </span>
  )
}

function Stroke({ className, dashed = false }: { className: string; dashed?: boolean }) {
  return (
    <svg viewBox="0 0 16 4" className={`h-1 w-4 ${className}`} stroke="currentColor" strokeWidth="2" aria-hidden="true">
      <path d="M0 2H16" strokeDasharray={dashed ? '4 3' : undefined} />
    </svg>
  )
}

const rowsOf = (series: readonly SeriesPoint[]) =>
  series.map(({ at, players, slots }) => [
    exactTime(at),
    <span key="players" className={players > slots ? 'font-medium text-danger' : undefined}>
      {formatNumber(players)}
    </span>,
    formatNumber(slots),
  ])
