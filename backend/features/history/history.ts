/** Reads a range from finished weeks and days, the minutes since, and what this node saw of the current hour: at most a minute old. */
import type { HistoryRange } from '#contract/history.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { type Between, findFirst, findMade, listHours, listHoursOfList, listMade, listMadeOfList } from './history.queries.ts'
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
  /** The most players, and when: in which minute, where minutes are kept, else in which step. The first of several that are as high. */
  readonly peak: PeakSeen | undefined
}

export interface PeakSeen {
  readonly players: number
  /** Wall milliseconds of its beginning. */
  readonly at: number
  readonly seconds: number
}

export interface ListStep {
  readonly players: Step
  readonly servers: Step
}

/** From where to where what is read: weeks (of the longest range only), then days, then minutes. */
interface Plan {
  readonly from: number
  readonly stepMs: number
  readonly count: number
  readonly now: number
  readonly made: readonly Between[]
  /** Wall milliseconds of the beginning of the first hour of which minutes are read. */
  readonly minutesFrom: number
}

/** Takes in what is known in the order of time. */
class Peak {
  readonly #range: Plan
  seen: PeakSeen | undefined

  constructor(range: Plan) {
    this.#range = range
  }

  /** @param at wall milliseconds of where it begins. What is beyond the range is left out, and when nobody could play. */
  add({ highest, online }: Pick<Step, 'highest' | 'online'>, at: number, minutes: number): void {
    if (online === 0 || at < this.#range.from || at > this.#range.now) return
    if (highest > (this.seen?.players ?? -1)) this.seen = { players: highest, at, seconds: minutes * 60 }
  }

  minute(players: number, at: number): void {
    this.add({ highest: players, online: 1 }, at, 1)
  }
}

async function planOf(db: Deps['db'], range: HistoryRange, now: number): Promise<Plan> {
  const { stepMs, count } = RANGES[range]
  const from = startOf(now, stepMs) - (count - 1) * stepMs
  const made = await findMade(db)
  // Nothing is taken for made that is not over, whatever the clock once said.
  const weeksTo = range === '1y' ? Math.min(made.week?.getTime() ?? 0, startOf(now, WEEK_MS)) : 0
  const daysTo = Math.min(made.day?.getTime() ?? 0, startOf(now, DAY_MS))
  const between = (stepMinutes: number, begin: number, end: number): Between[] =>
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
  const stored = await findFirst(db, publicId)
  const seenFirst = seen.hours.find((hour) => seen.seenOf(publicId, hour) !== undefined)
  const first = stored ?? seenFirst
  const since = Math.min(createdAt, first ?? createdAt)
  const sums = sumsOf(plan, () => new Sum())
  const peak = new Peak(plan)
  for (const between of plan.made) {
    for (const row of await listMade(db, publicId, between)) {
      const steps = row.steps === null ? undefined : unpackSteps(row.steps, between.stepMinutes)
      row.looked.forEach((looked, index) => {
        const at = row.from_at.getTime() + index * between.stepMinutes * MINUTE_MS
        const step = steps?.[index] ?? NOTHING_KNOWN
        peak.add(step, Math.max(at, since), between.stepMinutes)
        if (steps !== undefined) sums.at(at)?.add(step)
        else if (at >= since) sums.at(at)?.offline(looked)
      })
    }
  }
  for await (const { hour, own, list } of hoursOf(db, seen, publicId, plan)) {
    for (let minute = 0; minute < MINUTES_OF_HOUR; minute += 1) {
      const at = hour + minute * MINUTE_MS
      // Where it has no row it was offline for the hour, if anybody looked.
      const count = own?.(minute) ?? Math.min(OFFLINE, list?.(minute) ?? NOBODY_LOOKED)
      if (count >= 0) {
        peak.minute(count, at)
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
  for (const between of plan.made) {
    for (const row of await listMadeOfList(db, between)) {
      row.looked.forEach((looked, index) => {
        const at = row.from_at.getTime() + index * between.stepMinutes * MINUTE_MS
        const sum = sums.at(at)
        peak.add({ highest: row.players_highest[index] ?? 0, online: looked }, at, between.stepMinutes)
        const step = (average: readonly number[], highest: readonly number[]): Step => ({
          average: average[index] ?? 0,
          highest: highest[index] ?? 0,
          online: looked,
          looked,
        })
        sum?.players.add(step(row.players_average, row.players_highest))
        sum?.servers.add(step(row.servers_average, row.servers_highest))
      })
    }
  }
  const rows = await listHoursOfList(db, new Date(plan.minutesFrom), new Date(plan.now))
  const stored = new Map(rows.map((row) => [row.hour.getTime(), row]))
  for (let hour = plan.minutesFrom; hour <= plan.now; hour += HOUR_MS) {
    const here = seen.seenOfList(hour)
    const players = overlaid(stored.get(hour)?.players, here?.players)
    const servers = overlaid(stored.get(hour)?.servers, here?.servers)
    for (let minute = 0; minute < MINUTES_OF_HOUR; minute += 1) {
      const count = players?.(minute) ?? NOBODY_LOOKED
      if (count === NOBODY_LOOKED) continue
      const at = hour + minute * MINUTE_MS
      const sum = sums.at(at)
      peak.minute(count, at)
      sum?.players.minute(count)
      sum?.servers.minute(servers?.(minute) ?? 0)
    }
  }
  const steps = sums.all.map(({ players, servers }) => ({ players: players.step, servers: servers.step }))
  return { from: plan.from, stepMs: plan.stepMs, steps, peak: peak.seen }
}

/** The minutes of a server and of the whole list, hour by hour. */
async function* hoursOf(db: Deps['db'], seen: Seen, publicId: string, { minutesFrom, now }: Plan) {
  const [from, to] = [new Date(minutesFrom), new Date(now)]
  const byHour = (rows: readonly { readonly hour: Date; readonly players: Numbers }[]) =>
    new Map(rows.map((row) => [row.hour.getTime(), row.players]))
  const own = byHour(await listHours(db, publicId, from, to))
  const list = byHour(await listHoursOfList(db, from, to))
  for (let hour = minutesFrom; hour <= now; hour += HOUR_MS) {
    yield {
      hour,
      own: overlaid(own.get(hour), seen.seenOf(publicId, hour)),
      list: overlaid(list.get(hour), seen.seenOfList(hour)?.players),
    }
  }
}

/** What this node saw goes over what is stored. Undefined where neither knows the hour. */
export function overlaid(stored: Numbers | undefined, seen: Numbers | undefined): ((minute: number) => number) | undefined {
  if (stored === undefined && seen === undefined) return undefined
  return (minute) => {
    const here = seen?.[minute] ?? NOBODY_LOOKED
    return here === NOBODY_LOOKED ? (stored?.[minute] ?? NOBODY_LOOKED) : here
  }
}
