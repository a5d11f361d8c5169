/** Rolls minutes up into days and weeks once these are over, and deletes nothing that is still to be rolled up. Safe to repeat after a crash. */
import type { Deps } from '#backend/platform/deps.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import {
  type Span,
  deleteHistoryBefore,
  deleteOldOfList,
  deleteSamplesBefore,
  insertHistory,
  insertListHistory,
  listListSamples,
  listServerIds,
  listUnmade,
} from './rolling.queries.ts'
import type { Sampling } from './sampling.ts'
import { Sum } from './steps.ts'
import { NOBODY_LOOKED } from '#backend/platform/database/tables/player-samples.ts'
import { DAY_MS, HOUR_MS, LEVELS, type Level, MINUTES_OF_HOUR, MINUTE_MS, WEEK_MS, startOf } from './time.ts'

/** For the last minutes to be written, by whichever node has them. */
const REST_MS = 600_000
/** Minutes that one statement goes over: a fraction of a second. */
const MAX_MINUTES = 400_000
const MAX_DELETED = 5000
/** Days in one run; a program that was off for long takes several. */
const MAX_SPANS = 40

const KEPT_MINUTES_MS = 8 * DAY_MS
/** What 31 days back from within a day begin in. */
const KEPT_DAYS_MS = 31 * DAY_MS
/** A year, and the week that it begins in. */
const KEPT_WEEKS_MS = 365 * DAY_MS + WEEK_MS

/** The repeating task: makes days and weeks of what is over, and deletes what has been kept for long enough. */
export async function keepHistory(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  sampling: Pick<Sampling, 'flush' | 'hours' | 'isStopping'>,
): Promise<void> {
  const now = clock.now()
  for (const level of [LEVELS.day, LEVELS.week]) {
    const { stepMinutes, spanMs } = level
    const unmade = await listUnmade(db, stepMinutes, spanMs, new Date(now - REST_MS), MAX_SPANS)
    for (const from of unmade) {
      // Usually all minutes are written by now.
      if (sampling.hours.some((hour) => hour < from.getTime() + spanMs)) await sampling.flush()
      await make(db, level, from, sampling)
      if (sampling.isStopping) return
    }
    // There may be more to make, and that needs its minutes.
    if (unmade.length === MAX_SPANS) return
  }
  await deleteOld(db, now, sampling)
}

async function make(db: Deps['db'], level: Level, from: Date, sampling: Pick<Sampling, 'isStopping'>): Promise<void> {
  const span: Span = { stepMinutes: level.stepMinutes, from, to: new Date(from.getTime() + level.spanMs) }
  const list = await listSteps(db, level, span)
  const atOnce = Math.floor((MAX_MINUTES * MINUTE_MS) / level.spanMs)
  let after: string | undefined = ''
  while (after !== undefined) {
    if (sampling.isStopping) return
    const publicIds: string[] = await listServerIds(db, after, atOnce)
    await transaction(db, (trx) => insertHistory(trx, span, publicIds, list.looked))
    after = publicIds.length < atOnce ? undefined : publicIds.at(-1)
  }
  await insertListHistory(db, span, list)
}

async function listSteps(db: Deps['db'], { stepMinutes, steps }: Level, { from, to }: Span) {
  const players = Array.from({ length: steps }, () => new Sum())
  const servers = Array.from({ length: steps }, () => new Sum())
  for (const row of await listListSamples(db, from, to)) {
    const hour = ((row.hour.getTime() - from.getTime()) / HOUR_MS) * MINUTES_OF_HOUR
    row.players.forEach((count, minute) => {
      if (count === NOBODY_LOOKED) return
      const step = Math.floor((hour + minute) / stepMinutes)
      players[step]?.minute(count)
      servers[step]?.minute(row.servers[minute] ?? 0)
    })
  }
  return {
    players_average: players.map((sum) => sum.step.average),
    players_highest: players.map((sum) => sum.step.highest),
    servers_average: servers.map((sum) => sum.step.average),
    servers_highest: servers.map((sum) => sum.step.highest),
    looked: players.map((sum) => sum.step.looked),
  }
}

async function deleteOld(db: Deps['db'], now: number, sampling: Pick<Sampling, 'isStopping'>): Promise<void> {
  const today = startOf(now, DAY_MS)
  const minutes = new Date(startOf(now - KEPT_MINUTES_MS, HOUR_MS))
  const days = new Date(today - KEPT_DAYS_MS)
  const weeks = new Date(today - KEPT_WEEKS_MS)
  for (const deleteSome of [
    () => deleteSamplesBefore(db, minutes, MAX_DELETED),
    () => deleteHistoryBefore(db, LEVELS.day.stepMinutes, days, MAX_DELETED),
    () => deleteHistoryBefore(db, LEVELS.week.stepMinutes, weeks, MAX_DELETED),
  ])
    while (!sampling.isStopping && (await deleteSome()) === MAX_DELETED);
  await deleteOldOfList(db, minutes, days, weeks)
}
