import type { DayHistory, HistoryRange, ListHistory, ServerEvents, ServerHistory } from '#contract/history.ts'
import type { LastDay } from './last-day.ts'
import type { ListStep, Peak, Series } from './history.ts'
import type { ServerEventRow } from './history.queries.ts'
import { type Step, percentOnline, unpackSteps } from './steps.ts'

const averages = (steps: readonly Step[]) => steps.map((step) => (step.online === 0 ? null : step.average))
const highests = (steps: readonly Step[]) => steps.map((step) => (step.online === 0 ? null : step.highest))

export function presentServer(range: HistoryRange, series: Series<Step>): ServerHistory {
  const { steps } = series
  return {
    ...header(range, series),
    average: averages(steps),
    highest: highests(steps),
    online: steps.map(percentOnline),
    peak: presentPeak(series.peak),
    uptime: uptimeOf(steps),
  }
}

export function presentList(range: HistoryRange, series: Series<ListStep>): ListHistory {
  const players = series.steps.map((step) => step.players)
  const servers = series.steps.map((step) => step.servers)
  return {
    ...header(range, series),
    players: { average: averages(players), highest: highests(players) },
    servers: { average: averages(servers), highest: highests(servers) },
    peak: presentPeak(series.peak),
  }
}

export function presentDay({ from, stepMs, highest, peak }: LastDay): DayHistory {
  return {
    from: new Date(from).toISOString(),
    step_seconds: stepMs / 1000,
    peak: peak && { players: peak.players, at: new Date(peak.at).toISOString() },
    servers: Array.from(highest, ([public_id, steps]) => ({ public_id, highest: [...steps] })),
  }
}

export function presentEvents(from: number, rows: readonly ServerEventRow[]): ServerEvents {
  return { from: new Date(from).toISOString(), events: rows.map((row) => ({ ...row, at: row.at.toISOString() })) }
}

function header(range: HistoryRange, { from, stepMs }: Series<unknown>) {
  return { range, from: new Date(from).toISOString(), step_seconds: stepMs / 1000 }
}

function presentPeak(peak: Peak | undefined): ServerHistory['peak'] {
  return peak === undefined ? null : { players: peak.players, at: new Date(peak.at).toISOString(), seconds: peak.seconds }
}

/** Percent, rounded down to hundredths: 100 only without a single offline minute. */
function uptimeOf(steps: readonly Step[]): number | null {
  const sum = (minutesOf: (step: Step) => number) => steps.reduce((total, step) => total + minutesOf(step), 0)
  const sampled = sum((step) => step.sampled)
  return sampled === 0 ? null : Math.floor((10_000 * sum((step) => step.online)) / sampled) / 100
}

/** Unpacks rows of `player_history`. A step is null if the server was offline or not sampled throughout. */
export function unpackHistory<T extends { readonly step_minutes?: unknown; readonly steps?: unknown }>(rows: readonly T[]) {
  return rows.map(({ steps, ...row }) => {
    const unpacked = unpackSteps(steps as Buffer, Number(row.step_minutes))
    return { ...row, average: averages(unpacked), highest: highests(unpacked), online: unpacked.map(percentOnline) }
  })
}
