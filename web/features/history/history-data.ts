/** The charts, table rows and CSV files of a history. */
import type { ListHistory, ServerEvent, ServerHistory } from '#contract/history/history.ts'
import { m } from '#messages'
import { toCsv } from '#web/lib/csv.ts'
import { formatNumber } from '#web/lib/format.ts'
import { DAY_MS, dayAndTime, durationText } from '#web/lib/time.ts'
import type { ChartData, ChartLine, ChartMark } from '#web/ui/chart/chart-data.ts'
import { stepTime } from '#web/ui/chart/chart-scale.ts'

type Numbers = readonly (number | null)[]
type Steps = Pick<ServerHistory, 'from' | 'step_seconds'>

interface Column {
  /** In the table. */
  readonly title: string
  /** In the CSV file. */
  readonly key: string
  readonly values: Numbers
}

function timesOf({ from, step_seconds }: Steps, count: number): number[] {
  const first = Date.parse(from)
  return Array.from({ length: count }, (_, index) => first + index * step_seconds * 1000)
}

export function chartOf(steps: Steps, { average, highest }: { average: Numbers; highest: Numbers }): ChartData {
  const lines: ChartLine[] = [
    { label: m.history_average(), values: average, type: 'area' },
    { label: m.history_highest(), values: highest, type: 'line' },
  ]
  return { times: timesOf(steps, average.length), stepSeconds: steps.step_seconds, lines }
}

function remarkOf(online: number | null): string {
  if (online === null) return m.ui_chart_no_data()
  return online === 0 ? m.history_offline() : online === 100 ? '' : m.history_online({ percent: online })
}

const WEEK_MS = 7 * DAY_MS

/** The averages a week before each step. Null where the other history has no such step; all null while it is undefined. */
export function weekBefore(history: ServerHistory, previous: ServerHistory | undefined): Numbers {
  const isSame = previous !== undefined && previous.step_seconds === history.step_seconds
  if (!isSame) return history.average.map(() => null)
  const shift = (Date.parse(history.from) - WEEK_MS - Date.parse(previous.from)) / (history.step_seconds * 1000)
  return history.average.map((_, index) => previous.average[index + shift] ?? null)
}

/** A lifted ban has the symbol of a ban. */
const markOf = (event: ServerEvent): ChartMark => ({
  at: Date.parse(event.at),
  kind: event.kind === 'unban' ? 'ban' : event.kind,
  text: `${eventText(event)}, ${dayAndTime(event.at)}`,
})

/** `Updated from 1.2 to 1.3`. */
export function eventText({ kind, version, previous_version, offline_seconds }: ServerEvent): string {
  if (kind === 'ban') return m.history_event_ban()
  if (kind === 'unban') return m.history_event_unban()
  if (kind === 'update') return m.history_event_update({ from: previous_version ?? '', to: version ?? '' })
  const duration = offline_seconds === null ? '' : durationText(new Date(0).toISOString(), offline_seconds * 1000)
  return duration === '' ? m.history_event_restart() : m.history_event_restart_after({ duration })
}

interface ServerChartExtras {
  /** From `weekBefore`; undefined without a comparison. */
  readonly compared?: Numbers | undefined
  readonly events?: readonly ServerEvent[] | undefined
}

export function serverChart(history: ServerHistory, { compared, events = [] }: ServerChartExtras = {}): ChartData {
  const chart = chartOf(history, history)
  return {
    ...chart,
    lines: compared ? [...chart.lines, { label: m.history_week_before(), values: compared, type: 'compare' }] : chart.lines,
    marks: events.map(markOf),
    bands: { label: m.history_offline(), steps: history.online.map((online) => online === 0) },
    remarks: history.online.map(remarkOf),
  }
}

/** The mean of the known values. @param weights one per step; all equal by default. */
export function meanOf(average: Numbers, weights?: Numbers): number | null {
  let [sum, weight] = [0, 0]
  for (const [index, value] of average.entries()) {
    if (value === null) continue
    const stepWeight = weights ? (weights[index] ?? 0) : 1
    sum += value * stepWeight
    weight += stepWeight
  }
  return weight === 0 ? null : sum / weight
}

export const serverColumns = ({ average, highest, online }: ServerHistory, compared?: Numbers): Column[] => [
  { title: m.history_average(), key: 'average', values: average },
  { title: m.history_highest(), key: 'highest', values: highest },
  { title: m.history_column_online(), key: 'online_percent', values: online },
  ...(compared ? [{ title: m.history_column_week_before(), key: 'average_week_before', values: compared }] : []),
]

export const listColumns = ({ players, servers }: ListHistory): Column[] => [
  { title: m.history_column_players_average(), key: 'players_average', values: players.average },
  { title: m.history_column_players_highest(), key: 'players_highest', values: players.highest },
  { title: m.history_column_servers_average(), key: 'servers_average', values: servers.average },
  { title: m.history_column_servers_highest(), key: 'servers_highest', values: servers.highest },
]

/** The highest value and the start of the first step that has it. Null without values. */
export function peakOf({ from, step_seconds }: Steps, values: Numbers): { max: number; at: number } | null {
  const max = Math.max(...values.map((value) => value ?? -Infinity))
  return max === -Infinity ? null : { max, at: Date.parse(from) + values.indexOf(max) * step_seconds * 1000 }
}

/** `at` is in ms, `seconds` is its precision. */
export type Peak = NonNullable<ReturnType<typeof peakOf>> & { seconds: number }

export function playersPeak({ peak }: Pick<ServerHistory, 'peak'>): Peak | null {
  return peak && { max: peak.players, at: Date.parse(peak.at), seconds: peak.seconds }
}

export function serversPeak(history: ListHistory): Peak | null {
  const peak = peakOf(history, history.servers.highest)
  return peak && { ...peak, seconds: history.step_seconds }
}

const countOf = (columns: readonly Column[]) => columns[0]?.values.length ?? 0

export function tableRows(steps: Steps, columns: readonly Column[]): string[][] {
  return timesOf(steps, countOf(columns)).map((at, index) => [
    stepTime(at, steps.step_seconds),
    ...columns.map(({ values }) => (values[index] == null ? '–' : formatNumber(values[index]))),
  ])
}

/** Times are in UTC. */
export function csvFile(steps: Steps, columns: readonly Column[]): string {
  const rows = timesOf(steps, countOf(columns)).map((at, index) => [
    new Date(at).toISOString(),
    ...columns.map(({ values }) => values[index] ?? null),
  ])
  return toCsv(['time', ...columns.map(({ key }) => key)], rows)
}
