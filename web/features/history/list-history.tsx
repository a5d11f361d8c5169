import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { ListHistory } from '#contract/history.ts'
import { Chart, ChartPending } from '#web/ui/chart/chart.tsx'
import { Figure, meanText, MostFigure, PeakFigure } from './figures.tsx'
import { GraphNumbers } from './graph-numbers.tsx'
import { listHistoryOptions } from './history.api.ts'
import { listChart, listColumns, meanOf, peakOf } from './numbers.ts'
import { RangeButtons } from './range-buttons.tsx'
import { Reading } from './reading.tsx'
import { useRange } from './use-range.ts'

/** How many are on the list at this moment; undefined until that is known. */
interface Now {
  players: number | undefined
  servers: number | undefined
}

/** How many players and servers there were on the whole list. */
export function ListHistoryCards({ now }: { now: Now }) {
  const [range, choose] = useRange()
  const read = useQuery(listHistoryOptions(range))
  const { data: history, error } = read
  return (
    <section aria-labelledby="over-time">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
        <h2 id="over-time" tabIndex={-1} className="font-medium outline-none">
          Over time
        </h2>
        <RangeButtons range={range} onChoose={choose} />
      </div>
      <Reading read={read} heading="over-time">
        {(history !== undefined || !error) && (
          <div className="space-y-5">
            <PlayersCard history={history} now={now.players} />
            <ServersCard history={history} now={now.servers} />
          </div>
        )}
        {history && <GraphNumbers history={history} columns={listColumns(history)} name={`masterlist-${history.range}`} />}
      </Reading>
    </section>
  )
}

interface CardProps {
  history: ListHistory | undefined
  now: number | undefined
}

function PlayersCard({ history, now }: CardProps) {
  return (
    <section aria-labelledby="players" className="card p-5">
      <h3 id="players" className="font-medium">
        Players
      </h3>
      <dl className="mt-3 flex flex-wrap gap-x-10 gap-y-3">
        <Figure label="Online now" value={now?.toLocaleString('en')} />
        <PeakFigure history={history} label="Peak" />
        <Figure label="Average" value={history && meanText(meanOf(history.players.average))} />
      </dl>
      <Graph history={history} of="players" label="Players over time" />
    </section>
  )
}

function ServersCard({ history, now }: CardProps) {
  return (
    <section aria-labelledby="servers" className="card p-5">
      <h3 id="servers" className="font-medium">
        Servers
      </h3>
      <dl className="mt-3 flex flex-wrap gap-x-10 gap-y-3">
        <Figure label="Online now" value={now?.toLocaleString('en')} />
        <MostFigure label="Peak" peak={history && peakOf(history, history.servers.highest)} stepSeconds={history?.step_seconds ?? 0} />
        <Figure label="Average" value={history && meanText(meanOf(history.servers.average))} />
      </dl>
      <Graph history={history} of="servers" label="Servers over time" />
    </section>
  )
}

function Graph({ history, of, label }: { history: ListHistory | undefined; of: 'players' | 'servers'; label: string }) {
  const chart = useMemo(() => history && listChart(history, of), [history, of])
  return <div className="mt-4">{chart ? <Chart label={label} data={chart} /> : <ChartPending />}</div>
}
