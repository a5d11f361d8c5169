import { useQuery } from '@tanstack/react-query'
import { Ban, CircleArrowUp, GitCompareArrows, type LucideIcon, RotateCw, ShieldCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ServerEvent, ServerHistory } from '#contract/history/history.ts'
import { m } from '#messages'
import { formatNumber } from '#web/lib/format.ts'
import { exactTime } from '#web/lib/time.ts'
import { Chart } from '#web/ui/chart/chart.tsx'
import { ChartDetails } from '#web/ui/chart/chart-table.tsx'
import { EmptyGraph } from '#web/ui/chart/curve.tsx'
import { cx } from '#web/ui/class-names.ts'
import { eventText, meanOf, playersPeak, serverChart, serverColumns, weekBefore } from './history-data.ts'
import { canCompare, Figure, HistorySection, HistoryTable, meanText, PeakFigure, useHistorySearch } from './history-section.tsx'
import { serverEventsOptions, serverHistoryOptions } from './history.api.ts'

interface ServerHistoryCardProps {
  id: string
  /** The first figure: the players now. */
  live: ReactNode
  /** The server has never announced, so its offline time means nothing. */
  isNew: boolean
  asAdmin?: boolean
}

export function ServerHistoryCard({ id, live, isNew, asAdmin = false }: ServerHistoryCardProps) {
  const { range, setRange, isComparing, setComparing } = useHistorySearch()
  const query = useQuery(serverHistoryOptions(id, range, asAdmin))
  const { data: previous } = useQuery({ ...serverHistoryOptions(id, range, asAdmin, '1'), enabled: isComparing })
  const { data: events } = useQuery(serverEventsOptions(id, range, asAdmin))
  const { data: history, error } = query
  // A restored server has not announced since, but has a history.
  const isEmpty = history?.uptime === null || (isNew && !history?.peak)
  return (
    <HistorySection
      id="players"
      title={m.history_players()}
      range={range}
      onChoose={setRange}
      query={query}
      action={<CompareButton isOn={isComparing} isDisabled={!canCompare(range)} onChange={setComparing} />}
      className="card p-5"
    >
      {isEmpty ? (
        <>
          {!isNew && <dl className="mt-4 flex">{live}</dl>}
          {/* On a phone, as high as all that is there while it loads. */}
          <EmptyGraph title={m.history_none()} hint={m.history_none_hint()} className="mt-4 h-56 max-sm:h-102" />
        </>
      ) : (
        (history !== undefined || !error) && (
          <HistoryContent
            id={id}
            live={live}
            history={history}
            // The newest reply may be of the range before.
            previous={isComparing ? { history: previous?.range === history?.range ? previous : undefined } : undefined}
            events={events?.events}
          />
        )
      )}
    </HistorySection>
  )
}

function CompareButton({ isOn, isDisabled, onChange }: { isOn: boolean; isDisabled: boolean; onChange: (isOn: boolean) => void }) {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      aria-disabled={isDisabled}
      data-tip={isDisabled ? m.history_compare_disabled() : undefined}
      onClick={() => !isDisabled && onChange(!isOn)}
      className={cx(
        'inline-flex min-h-8 items-center gap-1.5 rounded-6 border px-2.5 text-13 max-sm:min-w-11 max-sm:justify-center font-medium transition-colors duration-100 pointer-coarse:min-h-11',
        isOn ? 'border-accent text-ink-1' : 'border-line text-ink-2 hover:text-ink-1',
        isDisabled && 'cursor-default text-ink-3 hover:text-ink-3',
      )}
    >
      <GitCompareArrows size={14} className={isOn ? 'text-accent' : undefined} aria-hidden="true" />
      <span className="max-sm:sr-only">{m.history_compare()}</span>
    </button>
  )
}

interface HistoryContentProps {
  id: string
  live: ReactNode
  history: ServerHistory | undefined
  /** Set while comparing; its history is undefined while it loads. */
  previous: { readonly history: ServerHistory | undefined } | undefined
  events: readonly ServerEvent[] | undefined
}

function HistoryContent({ id, live, history, previous, events }: HistoryContentProps) {
  const isComparing = previous !== undefined
  const earlier = previous?.history
  const compared = history && isComparing ? weekBefore(history, earlier) : undefined
  const uptime = history?.uptime
  const isTooShort = history !== undefined && history.online.filter((online) => online !== null).length < 2
  return (
    <>
      <dl className="mt-4 grid grid-cols-2 gap-x-5 gap-y-3 sm:flex sm:flex-wrap sm:gap-x-10">
        {live}
        <PeakFigure peak={history && playersPeak(history)} />
        <Figure label={m.history_average_online()} value={history && meanText(meanOf(history.average, history.online))} />
        <Figure label={m.history_uptime()} value={typeof uptime === 'number' ? percentText(uptime) : undefined} />
      </dl>
      {history && <p className="sr-only">{summaryOf(history, isComparing ? (earlier ?? null) : undefined)}</p>}
      <div className="mt-4">
        {isTooShort ? (
          // As high as the chart.
          <EmptyGraph
            title={m.history_too_short()}
            hint={history?.range === '24h' ? m.history_too_short_day_hint() : m.history_too_short_hint()}
            className="h-63"
          />
        ) : (
          <Chart label={m.history_players_chart()} data={history && serverChart(history, { compared, events })} />
        )}
      </div>
      {history ? (
        <HistoryTable history={history} columns={serverColumns(history, compared)} name={`players-${id}-${history.range}`} />
      ) : (
        <div className="mt-3 min-h-9 pointer-coarse:min-h-11" />
      )}
      <EventList events={events} />
    </>
  )
}

/** The figures as one sentence each, for screen readers. @param earlier undefined without a comparison, null while it loads. */
function summaryOf(history: ServerHistory, earlier: ServerHistory | null | undefined): string {
  const figures = (of: ServerHistory) => ({
    peak: of.peak === null ? '–' : formatNumber(of.peak.players),
    average: meanText(meanOf(of.average, of.online)),
  })
  const now = m.history_summary(figures(history))
  return earlier ? `${now} ${m.history_summary_week_before(figures(earlier))}` : now
}

/** Only a full 100 % shows as 100 %. */
function percentText(value: number): string {
  const rounded = value < 100 ? Math.min(99.9, value) : value
  return formatNumber(rounded / 100, { style: 'percent', maximumFractionDigits: 1 })
}

const ICONS: Record<ServerEvent['kind'], { icon: LucideIcon; className: string }> = {
  restart: { icon: RotateCw, className: 'text-ink-2' },
  update: { icon: CircleArrowUp, className: 'text-info' },
  ban: { icon: Ban, className: 'text-danger' },
  unban: { icon: ShieldCheck, className: 'text-ok' },
}

/** The moments that the graph marks, newest first. As high before they load as after. @param events undefined while loading. */
function EventList({ events }: { events: readonly ServerEvent[] | undefined }) {
  if (events === undefined || events.length === 0) {
    return (
      <p className="flex min-h-6 items-center text-13 text-ink-3 pointer-coarse:min-h-11">
        {events === undefined ? m.history_events() : m.history_events_none()}
      </p>
    )
  }
  return (
    <ChartDetails summary={m.history_events_count({ count: events.length })} label={m.history_events()}>
      {() => (
        <ol className="divide-y divide-line">
          {events.toReversed().map((event) => (
            <EventRow key={`${event.at} ${event.kind}`} event={event} />
          ))}
        </ol>
      )}
    </ChartDetails>
  )
}

function EventRow({ event }: { event: ServerEvent }) {
  const { icon: Icon, className } = ICONS[event.kind]
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-0.5 px-3 py-2">
      <span className="flex min-w-0 flex-1 items-center gap-2">
        <Icon size={14} className={`shrink-0 ${className}`} aria-hidden="true" />
        <span className="min-w-0 [overflow-wrap:anywhere]">{eventText(event)}</span>
      </span>
      <time dateTime={event.at} className="text-12 text-ink-3 tabular-nums">
        {exactTime(event.at)}
      </time>
    </li>
  )
}
