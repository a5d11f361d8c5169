/** Rolls minutes up into finished days and weeks, and deletes expired data. Never deletes what is not rolled up; safe to repeat after a crash. */
import type { Deps } from '#backend/platform/deps.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import {
  type Span,
  deleteExcessRestarts,
  deleteHistoryBefore,
  deleteOldListHistory,
  deleteRestartsBefore,
  deleteSamplesBefore,
  insertHistory,
  insertListHistory,
  listTotalSamples,
  listServerIds,
  listPendingSpans,
} from './rollup.queries.ts'
import type { PlayerSampler } from './player-sampler.ts'
import { Sum } from './steps.ts'
import { NOT_SAMPLED } from '#backend/platform/database/tables/player-samples.ts'
import { DAY_MS, HOUR_MS, LEVELS, type Level, MINUTES_OF_HOUR, MINUTE_MS, WEEK_MS, startOf } from './time.ts'

/** Time for every node to write its last minutes. */
const FLUSH_GRACE_MS = 600_000
/** Takes a fraction of a second. */
const MAX_MINUTES_PER_STATEMENT = 400_000
const DELETE_BATCH = 5000
/** Per server. */
const MAX_RESTARTS = 500
/** Days or weeks per run; several runs catch up after a long downtime. */
const MAX_SPANS = 40

const MINUTES_RETENTION_MS = 8 * DAY_MS
/** A range of 31 days can start within a day. */
const DAYS_RETENTION_MS = 31 * DAY_MS
/** A year and the week in which it starts. */
const WEEKS_RETENTION_MS = 365 * DAY_MS + WEEK_MS

export async function rollUpHistory(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  sampler: Pick<PlayerSampler, 'flush' | 'hours' | 'isStopping'>,
): Promise<void> {
  const now = clock.now()
  for (const level of [LEVELS.day, LEVELS.week]) {
    const { stepMinutes, spanMs } = level
    const pendingSpans = await listPendingSpans(db, stepMinutes, spanMs, new Date(now - FLUSH_GRACE_MS), MAX_SPANS)
    for (const from of pendingSpans) {
      // Usually all minutes are already written.
      if (sampler.hours.some((hour) => hour < from.getTime() + spanMs)) await sampler.flush()
      await rollUp(db, level, from, sampler)
      if (sampler.isStopping) return
    }
    // More spans may be pending, so their minutes must stay.
    if (pendingSpans.length === MAX_SPANS) return
  }
  await deleteOld(db, now, sampler)
}

async function rollUp(db: Deps['db'], level: Level, from: Date, sampler: Pick<PlayerSampler, 'isStopping'>): Promise<void> {
  const span: Span = { stepMinutes: level.stepMinutes, from, to: new Date(from.getTime() + level.spanMs) }
  const listTotals = await sumListSamples(db, level, span)
  const batchSize = Math.floor((MAX_MINUTES_PER_STATEMENT * MINUTE_MS) / level.spanMs)
  let after: string | undefined = ''
  while (after !== undefined) {
    if (sampler.isStopping) return
    const publicIds: string[] = await listServerIds(db, after, batchSize)
    await transaction(db, (trx) => insertHistory(trx, span, publicIds, listTotals.sampled_minutes))
    after = publicIds.length < batchSize ? undefined : publicIds.at(-1)
  }
  await insertListHistory(db, span, listTotals)
}

async function sumListSamples(db: Deps['db'], { stepMinutes, steps }: Level, { from, to }: Span) {
  const players = Array.from({ length: steps }, () => new Sum())
  const servers = Array.from({ length: steps }, () => new Sum())
  for (const row of await listTotalSamples(db, from, to)) {
    const hour = ((row.hour.getTime() - from.getTime()) / HOUR_MS) * MINUTES_OF_HOUR
    row.players.forEach((count, minute) => {
      if (count === NOT_SAMPLED) return
      const step = Math.floor((hour + minute) / stepMinutes)
      players[step]?.addMinute(count)
      servers[step]?.addMinute(row.servers[minute] ?? 0)
    })
  }
  return {
    players_average: players.map((sum) => sum.step.average),
    players_highest: players.map((sum) => sum.step.highest),
    servers_average: servers.map((sum) => sum.step.average),
    servers_highest: servers.map((sum) => sum.step.highest),
    sampled_minutes: players.map((sum) => sum.step.sampled),
  }
}

async function deleteOld(db: Deps['db'], now: number, sampler: Pick<PlayerSampler, 'isStopping'>): Promise<void> {
  const today = startOf(now, DAY_MS)
  const minutes = new Date(startOf(now - MINUTES_RETENTION_MS, HOUR_MS))
  const days = new Date(today - DAYS_RETENTION_MS)
  const weeks = new Date(today - WEEKS_RETENTION_MS)
  for (const deleteBatch of [
    () => deleteSamplesBefore(db, minutes, DELETE_BATCH),
    () => deleteHistoryBefore(db, LEVELS.day.stepMinutes, days, DELETE_BATCH),
    () => deleteHistoryBefore(db, LEVELS.week.stepMinutes, weeks, DELETE_BATCH),
    () => deleteRestartsBefore(db, days, weeks, DELETE_BATCH),
    () => deleteExcessRestarts(db, MAX_RESTARTS, new Date(now - HOUR_MS), DELETE_BATCH),
  ])
    while (!sampler.isStopping && (await deleteBatch()) === DELETE_BATCH);
  await deleteOldListHistory(db, minutes, days, weeks)
}
