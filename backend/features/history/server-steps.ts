/** A server's steps from rolled-up weeks and days, later minutes, and this node's unwritten samples: the only place that tells offline from unknown. */
import { NOT_SAMPLED, OFFLINE } from '#backend/platform/database/tables/player-samples.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { findRollupEnds, listSampleHours, listSampledSteps, listServerRollups, listTotalSampleHours } from './history.queries.ts'
import type { PlayerSampler } from './player-sampler.ts'
import type { Span } from './rollup.queries.ts'
import { EMPTY_STEP, type Step, type Sum, unpackSteps } from './steps.ts'
import { DAY_MS, HOUR_MS, LEVELS, MINUTES_OF_HOUR, MINUTE_MS, WEEK_MS, startOf } from './time.ts'

export type RecentSamples = Pick<PlayerSampler, 'hours' | 'samplesOf' | 'listSamplesOf'>
type Numbers = ArrayLike<number>
type CountAt = (minute: number) => number

/** Equal steps up to now, in wall milliseconds. */
export interface StepRange {
  /** Start of the first step. */
  readonly from: number
  readonly stepMs: number
  readonly count: number
  readonly now: number
}

/** The spans to read: weeks (longest range only), then days, then minutes from the start of an hour. */
export interface Plan extends StepRange {
  readonly rollups: readonly Span[]
  readonly minutesFrom: number
}

export async function planOf(db: Deps['db'], range: StepRange, usesWeeks = false): Promise<Plan> {
  const { from, now } = range
  const ends = await findRollupEnds(db)
  // Only finished spans count, even if the clock has jumped back.
  const weeksTo = usesWeeks ? Math.min(ends.week?.getTime() ?? 0, startOf(now, WEEK_MS)) : 0
  const daysTo = Math.min(ends.day?.getTime() ?? 0, startOf(now, DAY_MS))
  const spans = (stepMinutes: number, begin: number, end: number): Span[] =>
    begin < end ? [{ stepMinutes, from: new Date(begin), to: new Date(end) }] : []
  return {
    ...range,
    rollups: [
      ...spans(LEVELS.week.stepMinutes, startOf(from, WEEK_MS), weeksTo),
      ...spans(LEVELS.day.stepMinutes, Math.max(startOf(from, DAY_MS), weeksTo), daysTo),
    ],
    minutesFrom: Math.max(startOf(from, HOUR_MS), weeksTo, daysTo),
  }
}

interface Sums<T> {
  readonly all: readonly T[]
  /** Undefined outside the range. */
  at(time: number): T | undefined
}

/** One sum per step. */
export function sumsOf<T>({ from, stepMs, count, now }: StepRange, create: () => T): Sums<T> {
  const all = Array.from({ length: count }, create)
  return { all, at: (time) => (time <= now ? all[Math.floor((time - from) / stepMs)] : undefined) }
}

interface Rollup {
  readonly stepMinutes: number
  readonly from: number
  /** Of the list, in each step. */
  readonly sampledMinutes: readonly number[]
}

/** What is known of the whole list in a plan's spans: it tells when a server without a row was offline. */
export interface ListMinutes {
  readonly rollups: readonly Rollup[]
  readonly hours: ReadonlyMap<number, { readonly players: Numbers }>
}

/** Read it before the servers: a day has a row here once all servers have theirs. */
export async function readListMinutes(db: Deps['db'], { rollups, minutesFrom, now }: Plan): Promise<ListMinutes> {
  const found: Rollup[] = []
  for (const span of rollups) {
    for (const row of await listSampledSteps(db, span))
      found.push({ stepMinutes: span.stepMinutes, from: row.from_at.getTime(), sampledMinutes: row.sampled_minutes })
  }
  return { rollups: found, hours: hoursOf(await listTotalSampleHours(db, new Date(minutesFrom), new Date(now))) }
}

/** A server's own rows in a plan's spans, by their start. */
interface ServerRows {
  readonly rollups: ReadonlyMap<string, Buffer>
  readonly hours: ReadonlyMap<number, { readonly players: Numbers }>
}

const NO_ROWS: ServerRows = { rollups: new Map(), hours: new Map() }
export const NOTHING_STORED = { list: { rollups: [], hours: new Map() }, own: NO_ROWS }

const rollupKey = (stepMinutes: number, from: number) => `${stepMinutes} ${from}`

/** Two queries for many servers. */
export async function readServerRows(
  db: Deps['db'],
  publicIds: readonly string[],
  { rollups, minutesFrom, now }: Plan,
): Promise<(publicId: string) => ServerRows> {
  const found = new Map(publicIds.map((publicId) => [publicId, { rollups: new Map<string, Buffer>(), hours: new Map() }]))
  for (const span of rollups) {
    for (const row of await listServerRollups(db, publicIds, span))
      found.get(row.server_id)?.rollups.set(rollupKey(span.stepMinutes, row.from_at.getTime()), row.steps)
  }
  for (const row of await listSampleHours(db, publicIds, new Date(minutesFrom), new Date(now)))
    found.get(row.server_id)?.hours.set(row.hour.getTime(), row)
  return (publicId) => found.get(publicId) ?? NO_ROWS
}

interface ServerSource {
  readonly publicId: string
  /** Wall milliseconds; earlier minutes don't count as offline. */
  readonly since: number
  readonly recent: Pick<RecentSamples, 'samplesOf' | 'listSamplesOf'>
  readonly stored: { readonly list: ListMinutes; readonly own: ServerRows }
}

/** @param onOnline called for each step and minute with players, at its start. */
export function addServer(
  sums: Sums<Sum>,
  { minutesFrom, now }: Pick<Plan, 'minutesFrom' | 'now'>,
  { publicId, since, recent, stored }: ServerSource,
  onOnline: (step: Pick<Step, 'highest' | 'online'>, at: number, minutes?: number) => void = () => undefined,
): void {
  for (const { stepMinutes, from, sampledMinutes } of stored.list.rollups) {
    const packed = stored.own.rollups.get(rollupKey(stepMinutes, from))
    const steps = packed && unpackSteps(packed, stepMinutes)
    sampledMinutes.forEach((sampled, index) => {
      const at = from + index * stepMinutes * MINUTE_MS
      const step = steps?.[index] ?? EMPTY_STEP
      onOnline(step, Math.max(at, since), stepMinutes)
      if (steps !== undefined) sums.at(at)?.add(step)
      else if (at >= since) sums.at(at)?.addOffline(sampled)
    })
  }
  for (let hour = minutesFrom; hour <= now; hour += HOUR_MS) {
    const own = overlay(stored.own.hours.get(hour)?.players, recent.samplesOf(publicId, hour))
    const ofList = own ?? overlay(stored.list.hours.get(hour)?.players, recent.listSamplesOf(hour)?.players)
    if (ofList === undefined) continue
    // In an hour without a row, it was offline in every sampled minute.
    const countAt = own ?? ((minute) => Math.min(OFFLINE, ofList(minute)))
    for (let minute = 0; minute < MINUTES_OF_HOUR; minute += 1) {
      const at = hour + minute * MINUTE_MS
      const count = countAt(minute)
      if (count >= 0) {
        onOnline({ highest: count, online: 1 }, at)
        sums.at(at)?.addMinute(count)
      } else if (count === OFFLINE && at >= since) sums.at(at)?.addOffline()
    }
  }
}

export function hoursOf<R extends { readonly hour: Date }>(rows: readonly R[]): ReadonlyMap<number, R> {
  return new Map(rows.map((row) => [row.hour.getTime(), row]))
}

/** This node's samples take precedence over stored ones. Undefined if neither has the hour. */
export function overlay(stored: Numbers | undefined, recent: Numbers | undefined): CountAt | undefined {
  if (stored === undefined && recent === undefined) return undefined
  return (minute) => {
    const count = recent?.[minute] ?? NOT_SAMPLED
    return count === NOT_SAMPLED ? (stored?.[minute] ?? NOT_SAMPLED) : count
  }
}
