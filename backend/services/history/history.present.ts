import type { DayHistory, HistoryRange, ListHistory, ServerEvents, ServerHistory } from '#contract/history/history.ts'
import { type Counts, type ListCounts, averageOf, highestOf, percentOnline, uptimeOf } from './buckets.ts'
import type { LastDay } from './last-day.ts'
import type { Peak, Series } from './history.ts'
import type { ServerEventRow } from './server-events.ts'

interface WithPeak {
  readonly peak: Peak | undefined
}

export function presentServer(range: HistoryRange, series: Series<Counts> & WithPeak): ServerHistory {
  const { steps } = series
  const uptime = uptimeOf(steps)
  return {
    ...header(range, series),
    average: steps.map(averageOf),
    highest: steps.map(highestOf),
    online: steps.map(percentOnline),
    peak: presentPeak(series),
    // Rounded down to hundredths: 100 only without a single offline minute.
    uptime: uptime === undefined ? null : Math.floor(10_000 * uptime) / 100,
  }
}

export function presentList(range: HistoryRange, series: Series<ListCounts> & WithPeak): ListHistory {
  const numbers = (sum: 'players' | 'servers', max: 'players_highest' | 'servers_highest') => ({
    average: series.steps.map((step) => averageOf({ players: step[sum], online: step.sampled })),
    highest: series.steps.map((step) => (step.sampled === 0 ? null : step[max])),
  })
  return {
    ...header(range, series),
    players: numbers('players', 'players_highest'),
    servers: numbers('servers', 'servers_highest'),
    peak: presentPeak(series),
  }
}

export function presentDay({ from, stepMs, highest, peak }: LastDay): DayHistory {
  return {
    from: new Date(from).toISOString(),
    step_seconds: stepMs / 1000,
    peak: peak === undefined ? null : { players: peak.players, at: peak.at.toISOString() },
    servers: Array.from(highest, ([public_id, steps]) => ({ public_id, highest: [...steps] })),
  }
}

export function presentEvents(from: number, rows: readonly ServerEventRow[]): ServerEvents {
  return { from: new Date(from).toISOString(), events: rows.map((row) => ({ ...row, at: row.at.toISOString() })) }
}

function header(range: HistoryRange, { from, stepMs }: Series<unknown>) {
  return { range, from: new Date(from).toISOString(), step_seconds: stepMs / 1000 }
}

function presentPeak({ peak }: WithPeak): ServerHistory['peak'] {
  return peak === undefined ? null : { players: peak.players, at: new Date(peak.at).toISOString(), seconds: peak.seconds }
}
