/** Reads a range from rolled-up weeks and days, later minutes, and this node's unwritten samples. Results are at most a minute old. */
import type { HistoryRange } from '#contract/history.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { findHistoryStart, listSampleHours, listTotalRollups, listTotalSampleHours } from './history.queries.ts'
import {
  type Plan,
  type RecentSamples,
  addServer,
  hoursOf,
  overlay,
  planOf,
  readListMinutes,
  readServerRows,
  sumsOf,
} from './server-steps.ts'
import { type Step, Sum } from './steps.ts'
import { NOT_SAMPLED } from '#backend/platform/database/tables/player-samples.ts'
import { DAY_MS, HOUR_MS, MINUTES_OF_HOUR, MINUTE_MS, WEEK_MS, startOf } from './time.ts'

export type HistoryDeps = Pick<Deps, 'db' | 'clock'>

/** Step length and count. No more steps than a graph can show. */
const RANGES: Readonly<Record<HistoryRange, { readonly stepMs: number; readonly count: number }>> = {
  '24h': { stepMs: 10 * MINUTE_MS, count: 144 },
  '7d': { stepMs: HOUR_MS, count: 168 },
  '31d': { stepMs: 4 * HOUR_MS, count: 186 },
  '1y': { stepMs: DAY_MS, count: 366 },
}

function planOfRange(db: Deps['db'], range: HistoryRange, now: number): Promise<Plan> {
  const { stepMs, count } = RANGES[range]
  return planOf(db, { from: startOfRange(range, now), stepMs, count, now }, range === '1y')
}

/** Start of a range's first step in wall milliseconds. */
export function startOfRange(range: HistoryRange, now: number): number {
  const { stepMs, count } = RANGES[range]
  return startOf(now, stepMs) - (count - 1) * stepMs
}

/** Equal steps, oldest first; the last one is incomplete. */
export interface Series<T> {
  /** Start of the first step in wall milliseconds. */
  readonly from: number
  readonly stepMs: number
  readonly steps: readonly T[]
  /** The first minute with the most players, or the first step once minutes are deleted. */
  readonly peak: Peak | undefined
}

export interface Peak {
  readonly players: number
  readonly at: number
  readonly seconds: number
}

export interface ListStep {
  readonly players: Step
  readonly servers: Step
}

class PeakTracker {
  readonly #plan: Plan
  found: Peak | undefined

  constructor(plan: Plan) {
    this.#plan = plan
  }

  /** Ignores offline steps and steps outside the range. @param at start in wall milliseconds. */
  add({ highest, online }: Pick<Step, 'highest' | 'online'>, at: number, minutes = 1): void {
    if (online === 0 || at < this.#plan.from || at > this.#plan.now) return
    if (highest > (this.found?.players ?? -1)) this.found = { players: highest, at, seconds: minutes * 60 }
  }
}

/**
 * @param createdAt wall milliseconds; earlier minutes don't count as offline.
 * @param weeksAgo moves the range back; at most 1, because minutes are kept for eight days.
 * @returns `first`: start of the history in wall milliseconds, if any.
 */
export async function serverSeries(
  { db, clock }: HistoryDeps,
  recent: RecentSamples,
  { publicId, createdAt }: { readonly publicId: string; readonly createdAt: number },
  range: HistoryRange,
  weeksAgo: 0 | 1 = 0,
): Promise<Series<Step> & { readonly first: number | undefined }> {
  const plan = await planOfRange(db, range, clock.now() - weeksAgo * WEEK_MS)
  const first = (await findHistoryStart(db, publicId)) ?? recent.hours.find((hour) => recent.samplesOf(publicId, hour) !== undefined)
  const sums = sumsOf(plan, () => new Sum())
  const peak = new PeakTracker(plan)
  const list = await readListMinutes(db, plan)
  const own = (await readServerRows(db, [publicId], plan))(publicId)
  const server = { publicId, since: Math.min(createdAt, first ?? createdAt), recent, stored: { list, own } }
  addServer(sums, plan, server, (step, at, minutes) => peak.add(step, at, minutes))
  const peakMinute = await minuteOf(peak.found, async (hour) => (await listSampleHours(db, [publicId], hour, hour))[0]?.players)
  return { from: plan.from, stepMs: plan.stepMs, steps: sums.all.map((sum) => sum.step), peak: peakMinute, first }
}

export async function listSeries({ db, clock }: HistoryDeps, recent: RecentSamples, range: HistoryRange): Promise<Series<ListStep>> {
  const plan = await planOfRange(db, range, clock.now())
  const sums = sumsOf(plan, () => ({ players: new Sum(), servers: new Sum() }))
  const peak = new PeakTracker(plan)
  for (const span of plan.rollups) {
    for (const row of await listTotalRollups(db, span)) {
      row.sampled_minutes.forEach((sampled, index) => {
        const at = row.from_at.getTime() + index * span.stepMinutes * MINUTE_MS
        const step = (average = 0, highest = 0): Step => ({ average, highest, online: sampled, sampled })
        const players = step(row.players_average[index], row.players_highest[index])
        peak.add(players, at, span.stepMinutes)
        sums.at(at)?.players.add(players)
        sums.at(at)?.servers.add(step(row.servers_average[index], row.servers_highest[index]))
      })
    }
  }
  const stored = hoursOf(await listTotalSampleHours(db, new Date(plan.minutesFrom), new Date(plan.now)))
  for (let hour = plan.minutesFrom; hour <= plan.now; hour += HOUR_MS) {
    const unwritten = recent.listSamplesOf(hour)
    const players = overlay(stored.get(hour)?.players, unwritten?.players)
    const servers = overlay(stored.get(hour)?.servers, unwritten?.servers)
    for (let minute = 0; minute < MINUTES_OF_HOUR; minute += 1) {
      const count = players?.(minute) ?? NOT_SAMPLED
      if (count === NOT_SAMPLED) continue
      const at = hour + minute * MINUTE_MS
      const sum = sums.at(at)
      peak.add({ highest: count, online: 1 }, at)
      sum?.players.addMinute(count)
      sum?.servers.addMinute(servers?.(minute) ?? 0)
    }
  }
  const steps = sums.all.map(({ players, servers }) => ({ players: players.step, servers: servers.step }))
  const peakMinute = await minuteOf(peak.found, async (hour) => (await listTotalSampleHours(db, hour, hour))[0]?.players)
  return { from: plan.from, stepMs: plan.stepMs, steps, peak: peakMinute }
}

/** The first minute of a peak's step with as many players. The step itself if its minutes are deleted. A step lies within an hour. */
async function minuteOf(
  peak: Peak | undefined,
  readHour: (hour: Date) => Promise<ArrayLike<number> | undefined>,
): Promise<Peak | undefined> {
  if (peak === undefined || peak.seconds * 1000 === MINUTE_MS) return peak
  const hour = startOf(peak.at, HOUR_MS)
  const counts = Array.from((await readHour(new Date(hour))) ?? [])
  const [first, after] = [(peak.at - hour) / MINUTE_MS, (peak.at - hour + peak.seconds * 1000) / MINUTE_MS]
  const minute = counts.findIndex((count, index) => count === peak.players && index > first - 1 && index < after)
  return minute === -1 ? peak : { players: peak.players, at: hour + minute * MINUTE_MS, seconds: MINUTE_MS / 1000 }
}
