import { useQuery } from '@tanstack/react-query'
import type { ListHistory } from '#contract/history/history.ts'
import { m } from '#messages'
import { formatNumber } from '#web/lib/format.ts'
import { Chart } from '#web/ui/chart/chart.tsx'
import { EmptyGraph } from '#web/ui/chart/curve.tsx'
import { Figure, HistorySection, HistoryTable, meanText, PeakFigure, useHistorySearch } from './history-section.tsx'
import { listHistoryOptions } from './history.api.ts'
import { chartOf, listColumns, meanOf, playersPeak, serversPeak } from './history-data.ts'

/** @param now the current counts; undefined while loading. */
export function ListHistoryCards({ now }: { now: Record<'players' | 'servers', number | undefined> }) {
  const { range, setRange } = useHistorySearch()
  const query = useQuery(listHistoryOptions(range))
  const { data: history, error } = query
  return (
    <HistorySection id="over-time" title={m.history_list()} range={range} onChoose={setRange} query={query}>
      {(history !== undefined || !error) && (
        <div className="space-y-5">
          <Card of="players" history={history} now={now.players} />
          <Card of="servers" history={history} now={now.servers} />
        </div>
      )}
      {history && <HistoryTable history={history} columns={listColumns(history)} name={`masterlist-${history.range}`} />}
    </HistorySection>
  )
}

const KINDS = {
  players: { title: m.history_players(), chartLabel: m.history_players_chart(), peakOf: playersPeak },
  servers: { title: m.nav_servers(), chartLabel: m.history_servers_chart(), peakOf: serversPeak },
} as const

function Card({ of, history, now }: { of: keyof typeof KINDS; history: ListHistory | undefined; now: number | undefined }) {
  const { title, chartLabel, peakOf } = KINDS[of]
  return (
    <section aria-labelledby={of} className="card p-5">
      <h3 id={of} className="font-medium">
        {title}
      </h3>
      <dl className="mt-3 flex flex-wrap gap-x-10 gap-y-3 max-sm:grid max-sm:grid-cols-2 max-sm:*:nth-2:order-last max-sm:*:nth-2:col-span-2">
        <Figure label={m.history_now()} value={now === undefined ? undefined : formatNumber(now)} />
        <PeakFigure peak={history && peakOf(history)} now={now} />
        <Figure label={m.history_average()} value={history && meanText(meanOf(history[of].average))} />
      </dl>
      <div className="mt-4">
        {history?.servers.highest.every((servers) => !servers) ? (
          // As high as the chart.
          <EmptyGraph title={m.history_list_none()} className="h-63" />
        ) : (
          <Chart label={chartLabel} data={history && chartOf(history, history[of])} />
        )}
      </div>
    </section>
  )
}
