/** Reads a range from finished weeks and days, the minutes since, and what this node saw of the current hour: at most a minute old. */
import type { HistoryRange } from '#contract/history.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { findFirst, findMade, listHours, listHoursOfList, listMade, listMadeOfList } from './history.queries.ts'
import type { Span } from './rolling.queries.ts'
import type { Sampling } from './sampling.ts'
import { NOTHING_KNOWN, type Step, Sum, unpackSteps } from './steps.ts'
import { NOBODY_LOOKED, OFFLINE } from '#backend/platform/database/tables/player-samples.ts'
import { DAY_MS, HOUR_MS, LEVELS, MINUTES_OF_HOUR, MINUTE_MS, WEEK_MS, startOf } from './time.ts'

export type Source = Pick<Deps, 'db' | 'clock'>
export type Seen = Pick<Sampling, 'hours' | 'seenOf' | 'seenOfList'>
type Numbers = ArrayLike<number>

/** How long a step is and how many there are: no more than a graph can show. */
const RANGES: Readonly<Record<HistoryRange, { readonly stepMs: number; readonly count: number }>> = {
  '24h': { stepMs: 10 * MINUTE_MS, count: 144 },
  '7d': { stepMs: HOUR_MS, count: 168 },
  '31d': { stepMs: 4 * HOUR_MS, count: 186 },
  '1y': { stepMs: DAY_MS, count: 366 },
}

/** Even steps, the oldest first; the last one is under way. */
export interface Series<T> {
  /** Wall milliseconds of the beginning of the first step. */
  readonly from: number
  readonly stepMs: number
  readonly steps: readonly T[]
  /** The first moment with the most players: a minute where minutes are kept, else a step. */
  readonly peak: PeakSeen | undefined
}

export interface PeakSeen {
  readonly players: number
  readonly at: number
  readonly seconds: number
}

export interface ListStep {
  readonly players: Step
  readonly servers: Step
}

type Plan = Awaited<ReturnType<typeof planOf>>

class Peak {
  readonly #plan: Plan
  seen: PeakSeen | undefined

  constructor(plan: Plan) {
    this.#plan = plan
  }

  /** Ignores what is outside of the range or was offline. @param at wall milliseconds of its beginning. */
  add({ highest, online }: Pick<Step, 'highest' | 'online'>, at: number, minutes = 1): void {
    if (online === 0 || at < this.#plan.from || at > this.#plan.now) return
    if (highest > (this.seen?.players ?? -1)) this.seen = { players: highest, at, seconds: minutes * 60 }
  }
}

/** What is read from where to where: weeks (of the longest range only), then days, then minutes from an hour on. */
async function planOf(db: Deps['db'], range: HistoryRange, now: number) {
  const { stepMs, count } = RANGES[range]
  const from = startOf(now, stepMs) - (count - 1) * stepMs
  const made = await findMade(db)
  // Only what is over counts as made, also where the clock was once ahead.
  const weeksTo = range === '1y' ? Math.min(made.week?.getTime() ?? 0, startOf(now, WEEK_MS)) : 0
  const daysTo = Math.min(made.day?.getTime() ?? 0, startOf(now, DAY_MS))
  const between = (stepMinutes: number, begin: number, end: number): Span[] =>
    begin < end ? [{ stepMinutes, from: new Date(begin), to: new Date(end) }] : []
  return {
    from,
    stepMs,
    count,
    now,
    made: [
      ...between(LEVELS.week.stepMinutes, startOf(from, WEEK_MS), weeksTo),
      ...between(LEVELS.day.stepMinutes, Math.max(startOf(from, DAY_MS), weeksTo), daysTo),
    ],
    minutesFrom: Math.max(startOf(from, HOUR_MS), weeksTo, daysTo),
  }
}

/** One sum a step of the range; undefined for times beyond it. */
function sumsOf<T>({ from, stepMs, count, now }: Plan, make: () => T): { readonly all: readonly T[]; at(time: number): T | undefined } {
  const all = Array.from({ length: count }, make)
  return { all, at: (time) => (time <= now ? all[Math.floor((time - from) / stepMs)] : undefined) }
}

/** @param createdAt wall milliseconds; before that the server does not count as offline. `first` is where its history begins, if it has one. */
export async function serverSeries(
  { db, clock }: Source,
  seen: Seen,
  { publicId, createdAt }: { readonly publicId: string; readonly createdAt: number },
  range: HistoryRange,
): Promise<Series<Step> & { readonly first: number | undefined }> {
  const plan = await planOf(db, range, clock.now())
  const first = (await findFirst(db, publicId)) ?? seen.hours.find((hour) => seen.seenOf(publicId, hour) !== undefined)
  const since = Math.min(createdAt, first ?? createdAt)
  const sums = sumsOf(plan, () => new Sum())
  const peak = new Peak(plan)
  for (const span of plan.made) {
    for (const row of await listMade(db, publicId, span)) {
      const steps = row.steps === null ? undefined : unpackSteps(row.steps, span.stepMinutes)
      row.looked.forEach((looked, index) => {
        const at = row.from_at.getTime() + index * span.stepMinutes * MINUTE_MS
        const step = steps?.[index] ?? NOTHING_KNOWN
        peak.add(step, Math.max(at, since), span.stepMinutes)
        if (steps !== undefined) sums.at(at)?.add(step)
        else if (at >= since) sums.at(at)?.offline(looked)
      })
    }
  }
  const hourOf = await serverMinutes(db, seen, publicId, plan)
  for (let hour = plan.minutesFrom; hour <= plan.now; hour += HOUR_MS) {
    const countAt = hourOf(hour)
    for (let minute = 0; minute < MINUTES_OF_HOUR; minute += 1) {
      const at = hour + minute * MINUTE_MS
      const count = countAt(minute)
      if (count >= 0) {
        peak.add({ highest: count, online: 1 }, at)
        sums.at(at)?.minute(count)
      } else if (count === OFFLINE && at >= since) sums.at(at)?.offline()
    }
  }
  return { from: plan.from, stepMs: plan.stepMs, steps: sums.all.map((sum) => sum.step), peak: peak.seen, first }
}

export async function listSeries({ db, clock }: Source, seen: Seen, range: HistoryRange): Promise<Series<ListStep>> {
  const plan = await planOf(db, range, clock.now())
  const sums = sumsOf(plan, () => ({ players: new Sum(), servers: new Sum() }))
  const peak = new Peak(plan)
  for (const span of plan.made) {
    for (const row of await listMadeOfList(db, span)) {
      row.looked.forEach((looked, index) => {
        const at = row.from_at.getTime() + index * span.stepMinutes * MINUTE_MS
        const step = (average = 0, highest = 0): Step => ({ average, highest, online: looked, looked })
        const players = step(row.players_average[index], row.players_highest[index])
        peak.add(players, at, span.stepMinutes)
        sums.at(at)?.players.add(players)
        sums.at(at)?.servers.add(step(row.servers_average[index], row.servers_highest[index]))
      })
    }
  }
  const stored = hoursOf(await listHoursOfList(db, new Date(plan.minutesFrom), new Date(plan.now)))
  for (let hour = plan.minutesFrom; hour <= plan.now; hour += HOUR_MS) {
    const here = seen.seenOfList(hour)
    const players = overlaid(stored.get(hour)?.players, here?.players)
    const servers = overlaid(stored.get(hour)?.servers, here?.servers)
    for (let minute = 0; minute < MINUTES_OF_HOUR; minute += 1) {
      const count = players?.(minute) ?? NOBODY_LOOKED
      if (count === NOBODY_LOOKED) continue
      const at = hour + minute * MINUTE_MS
      const sum = sums.at(at)
      peak.add({ highest: count, online: 1 }, at)
      sum?.players.minute(count)
      sum?.servers.minute(servers?.(minute) ?? 0)
    }
  }
  const steps = sums.all.map(({ players, servers }) => ({ players: players.step, servers: servers.step }))
  return { from: plan.from, stepMs: plan.stepMs, steps, peak: peak.seen }
}

/** A server's players by hour and minute. In an hour without a row it was offline wherever a node sampled. */
async function serverMinutes(db: Deps['db'], seen: Seen, publicId: string, { minutesFrom, now }: Plan) {
  const stored = hoursOf(await listHours(db, [publicId], new Date(minutesFrom), new Date(now)))
  const storedOfList = hoursOf(await listHoursOfList(db, new Date(minutesFrom), new Date(now)))
  return (hour: number) => {
    const own = overlaid(stored.get(hour)?.players, seen.seenOf(publicId, hour))
    const list = overlaid(storedOfList.get(hour)?.players, seen.seenOfList(hour)?.players)
    return (minute: number) => own?.(minute) ?? Math.min(OFFLINE, list?.(minute) ?? NOBODY_LOOKED)
  }
}

function hoursOf<R extends { readonly hour: Date }>(rows: readonly R[]): ReadonlyMap<number, R> {
  return new Map(rows.map((row) => [row.hour.getTime(), row]))
}

/** What this node saw goes over what is stored. Undefined where neither knows the hour. */
export function overlaid(stored: Numbers | undefined, seen: Numbers | undefined): ((minute: number) => number) | undefined {
  if (stored === undefined && seen === undefined) return undefined
  return (minute) => {
    const here = seen?.[minute] ?? NOBODY_LOOKED
    return here === NOBODY_LOOKED ? (stored?.[minute] ?? NOBODY_LOOKED) : here
  }
}
