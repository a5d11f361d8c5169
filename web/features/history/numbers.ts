/** What is drawn, said and saved of a history, worked out without drawing anything. */
import type { ListHistory, ServerHistory } from '#contract/history.ts'
import { csvOf } from '#web/lib/csv.ts'
import type { ChartData, ChartLine } from '#web/ui/chart/chart-data.ts'
import { stepTime } from '#web/ui/chart/chart-scale.ts'

type Numbers = readonly (number | null)[]
type Steps = Pick<ServerHistory, 'from' | 'step_seconds'>

/** A column of the table and of the file: its name in each, and its numbers. */
interface Column {
  readonly title: string
  readonly key: string
  readonly values: Numbers
}

function timesOf({ from, step_seconds }: Steps, count: number): number[] {
  const first = Date.parse(from)
  return Array.from({ length: count }, (_, index) => first + index * step_seconds * 1000)
}

const linesOf = ({ average, highest }: { average: Numbers; highest: Numbers }): ChartLine[] => [
  { label: 'Average', values: average, look: 'area' },
  { label: 'Highest', values: highest, look: 'line' },
]

/** What a step's numbers do not say: that there are none, and why. */
function remarkOf(online: number | null): string {
  if (online === null) return 'No data'
  return online === 0 ? 'Offline' : online === 100 ? '' : `Online ${online} %`
}

export function serverChart(history: ServerHistory): ChartData {
  return {
    times: timesOf(history, history.average.length),
    stepSeconds: history.step_seconds,
    lines: linesOf(history),
    marks: { label: 'Offline', at: history.online.map((online) => online === 0) },
    remarks: history.online.map(remarkOf),
  }
}

export function listChart(history: ListHistory, of: 'players' | 'servers'): ChartData {
  const times = timesOf(history, history[of].average.length)
  return { times, stepSeconds: history.step_seconds, lines: linesOf(history[of]) }
}

/** The mean of all that is known; of a server only the time counts in which it was online. */
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

/** The highest of them, and when its step begins: the first of several that are as high. Null where nothing is known. */
export function peakOf({ from, step_seconds }: Steps, values: Numbers): { most: number; at: number } | null {
  const most = Math.max(...values.map((value) => value ?? -Infinity))
  return most === -Infinity ? null : { most, at: Date.parse(from) + values.indexOf(most) * step_seconds * 1000 }
}

const countOf = (columns: readonly Column[]) => columns[0]?.values.length ?? 0

/** The rows of the table, as people read them. */
export function tableRows(steps: Steps, columns: readonly Column[]): string[][] {
  return timesOf(steps, countOf(columns)).map((at, index) => [
    stepTime(at, steps.step_seconds),
    ...columns.map(({ values }) => values[index]?.toLocaleString('en') ?? '–'),
  ])
}

/** The same as a file: times in UTC. */
export function csvFile(steps: Steps, columns: readonly Column[]): string {
  const rows = timesOf(steps, countOf(columns)).map((at, index) => [
    new Date(at).toISOString(),
    ...columns.map(({ values }) => values[index] ?? null),
  ])
  return csvOf(['time', ...columns.map(({ key }) => key)], rows)
}
