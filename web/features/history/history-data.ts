/** What is drawn, shown and saved of a history. */
import type { ListHistory, ServerHistory } from '#contract/history.ts'
import { toCsv } from '#web/lib/csv.ts'
import type { ChartData, ChartLine } from '#web/ui/chart/chart-data.ts'
import { stepTime } from '#web/ui/chart/chart-scale.ts'

type Numbers = readonly (number | null)[]
type Steps = Pick<ServerHistory, 'from' | 'step_seconds'>

/** A column of the table (`title`) and of the file (`key`). */
interface Column {
  readonly title: string
  readonly key: string
  readonly values: Numbers
}

function timesOf({ from, step_seconds }: Steps, count: number): number[] {
  const first = Date.parse(from)
  return Array.from({ length: count }, (_, index) => first + index * step_seconds * 1000)
}

function chartOf(steps: Steps, { average, highest }: { average: Numbers; highest: Numbers }): ChartData {
  const lines: ChartLine[] = [
    { label: 'Average', values: average, look: 'area' },
    { label: 'Highest', values: highest, look: 'line' },
  ]
  return { times: timesOf(steps, average.length), stepSeconds: steps.step_seconds, lines }
}

function remarkOf(online: number | null): string {
  if (online === null) return 'No data'
  return online === 0 ? 'Offline' : online === 100 ? '' : `Online ${online} %`
}

export function serverChart(history: ServerHistory): ChartData {
  return {
    ...chartOf(history, history),
    marks: { label: 'Offline', at: history.online.map((online) => online === 0) },
    remarks: history.online.map(remarkOf),
  }
}

export function listChart(history: ListHistory, of: 'players' | 'servers'): ChartData {
  return chartOf(history, history[of])
}

/** The mean of what is known. @param weights the share of each step that counts, where that differs. */
export function meanOf(average: Numbers, weights?: Numbers): number | null {
  let [sum, weight] = [0, 0]
  for (const [index, value] of average.entries()) {
    if (value === null) continue
    const counts = weights ? (weights[index] ?? 0) : 1
    sum += value * counts
    weight += counts
  }
  return weight === 0 ? null : sum / weight
}

export const serverColumns = ({ average, highest, online }: ServerHistory): Column[] => [
  { title: 'Average', key: 'average', values: average },
  { title: 'Highest', key: 'highest', values: highest },
  { title: 'Online %', key: 'online_percent', values: online },
]

export const listColumns = ({ players, servers }: ListHistory): Column[] => [
  { title: 'Players, average', key: 'players_average', values: players.average },
  { title: 'Players, highest', key: 'players_highest', values: players.highest },
  { title: 'Servers, average', key: 'servers_average', values: servers.average },
  { title: 'Servers, highest', key: 'servers_highest', values: servers.highest },
]

/** The highest number and when its step begins: the first of several that are as high. Null where nothing is known. */
export function peakOf({ from, step_seconds }: Steps, values: Numbers): { most: number; at: number } | null {
  const most = Math.max(...values.map((value) => value ?? -Infinity))
  return most === -Infinity ? null : { most, at: Date.parse(from) + values.indexOf(most) * step_seconds * 1000 }
}

/** `at` in milliseconds; `seconds` is the precision of that time. */
export type Peak = NonNullable<ReturnType<typeof peakOf>> & { seconds: number }

export function playersPeak({ peak }: Pick<ServerHistory, 'peak'>): Peak | null {
  return peak && { most: peak.players, at: Date.parse(peak.at), seconds: peak.seconds }
}

export function serversPeak(history: ListHistory): Peak | null {
  const peak = peakOf(history, history.servers.highest)
  return peak && { ...peak, seconds: history.step_seconds }
}

const countOf = (columns: readonly Column[]) => columns[0]?.values.length ?? 0

export function tableRows(steps: Steps, columns: readonly Column[]): string[][] {
  return timesOf(steps, countOf(columns)).map((at, index) => [
    stepTime(at, steps.step_seconds),
    ...columns.map(({ values }) => values[index]?.toLocaleString('en') ?? '–'),
  ])
}

/** The same as CSV with times in UTC. */
export function csvFile(steps: Steps, columns: readonly Column[]): string {
  const rows = timesOf(steps, countOf(columns)).map((at, index) => [
    new Date(at).toISOString(),
    ...columns.map(({ values }) => values[index] ?? null),
  ])
  return toCsv(['time', ...columns.map(({ key }) => key)], rows)
}
