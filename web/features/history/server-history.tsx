import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { ServerHistory } from '#contract/history.ts'
import { m } from '#messages'
import { Chart, ChartPending } from '#web/ui/chart/chart.tsx'
import { cx } from '#web/ui/class-names.ts'
import { Figure, HistoryTable, HistorySection, meanText, PeakFigure, useHistoryRange } from './history-section.tsx'
import { serverHistoryOptions } from './history.api.ts'
import { meanOf, playersPeak, serverChart, serverColumns } from './history-data.ts'

/** @param isNew the server has never announced, so its offline time means nothing. */
export function ServerHistoryCard({ id, isNew, asAdmin = false }: { id: string; isNew: boolean; asAdmin?: boolean }) {
  const [range, choose] = useHistoryRange()
  const query = useQuery(serverHistoryOptions(id, range, asAdmin))
  const { data: history, error } = query
  const isEmpty = history !== undefined && (isNew || history.uptime === null)
  return (
    <HistorySection id="players" title={m.history_players()} range={range} onChoose={choose} query={query} className="card p-5">
      {isEmpty ? (
        <NoGraph title={m.history_none()} hint={m.history_none_hint()} className="mt-4 h-56" />
      ) : (
        (history !== undefined || !error) && <HistoryContent id={id} history={history} />
      )}
    </HistorySection>
  )
}

function HistoryContent({ id, history }: { id: string; history: ServerHistory | undefined }) {
  const chart = useMemo(() => history && serverChart(history), [history])
  const uptime = history?.uptime
  const isTooShort = history !== undefined && history.online.filter((online) => online !== null).length < 2
  return (
    <>
      <dl className="mt-4 flex flex-wrap gap-x-10 gap-y-3">
        <PeakFigure peak={history && playersPeak(history)} />
        <Figure label={m.history_average_online()} value={history && meanText(meanOf(history.average, history.online))} />
        <Figure label={m.history_uptime()} value={typeof uptime === 'number' ? percentText(uptime) : undefined} />
      </dl>
      <div className="mt-4">
        {!chart ? (
          <ChartPending />
        ) : isTooShort ? (
          // As high as the chart.
          <NoGraph title={m.history_too_short()} hint={m.history_too_short_hint()} className="h-63" />
        ) : (
          <Chart label={m.history_players_chart()} data={chart} />
        )}
      </div>
      {history ? (
        <HistoryTable history={history} columns={serverColumns(history)} name={`players-${id}-${history.range}`} />
      ) : (
        <div className="mt-3 min-h-9 pointer-coarse:min-h-11" />
      )}
    </>
  )
}

/** Only a full 100 % shows as 100 %. */
function percentText(value: number): string {
  const rounded = value < 100 ? Math.min(99.9, value) : value
  return `${rounded.toLocaleString('en', { maximumFractionDigits: 1 })}%`
}

interface NoGraphProps {
  title: string
  hint: string
  className: string
}

function NoGraph({ title, hint, className }: NoGraphProps) {
  return (
    <div
      className={cx('flex flex-col items-center justify-center rounded-10 border border-dashed border-line px-6 text-center', className)}
    >
      <p className="font-medium">{title}</p>
      <p className="mt-1 text-13 text-ink-2">{hint}</p>
    </div>
  )
}
