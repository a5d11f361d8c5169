/** Inserts player history of a server with the program's own statements. */
import { sql } from 'kysely'
import { transaction } from '#backend/platform/database/transaction.ts'
import { insertHistory } from '#backend/features/history/rollup.queries.ts'
import { unpackSteps } from '#backend/features/history/steps.ts'
import { NOT_SAMPLED, OFFLINE } from '#backend/platform/database/tables/player-samples.ts'
import { DAY_MS, HOUR_MS, LEVELS, type Level, MINUTES_OF_HOUR, MINUTE_MS, startOf } from '#backend/features/history/time.ts'
import type { TestApp } from './harness.ts'

type Db = TestApp['db']

const HOURS_AT_ONCE = 1000
const KEPT_MINUTES_MS = 8 * DAY_MS
/** Longer than the program keeps them, so that there is something to delete. */
const DAYS_MS = 40 * DAY_MS

export interface HistoryOptions {
  /** How far back it goes; 366 by default. */
  readonly days?: number
  /** Players in the minute that starts then (wall milliseconds): -1 offline, -2 not sampled. Default: `eveningRush`. */
  readonly players?: (at: number) => number
}

/** 5 to 60 players with a peak at 20:00 UTC that varies by day; offline from 5:00 to 5:15. */
export function eveningRush(at: number): number {
  const hour = (at % DAY_MS) / HOUR_MS
  if (hour >= 5 && hour < 5.25) return OFFLINE
  const ofDay = (1 + Math.cos(((hour - 20) / 24) * 2 * Math.PI)) / 2
  return 5 + Math.round(45 * ofDay ** 2) + (Math.floor(at / DAY_MS) % 11)
}

/** The peak of `eveningRush` in the whole minutes between two moments. */
export function peakOf(from: number, to: number): number {
  let max = 0
  for (let at = from; at + MINUTE_MS <= to; at += MINUTE_MS) max = Math.max(max, eveningRush(at))
  return max
}

/**
 * Stores the history of a server up to now: minutes of 8 days, 10-minute steps of past days, hours of past weeks. Adds them to the
 * history of the whole list.
 */
export async function seedHistory(
  app: Pick<TestApp, 'db' | 'clock'>,
  publicId: string,
  { days = 366, players = eveningRush }: HistoryOptions = {},
): Promise<void> {
  const { db } = app
  const now = startOf(app.clock.now(), MINUTE_MS)
  const from = now - days * DAY_MS
  const kept = startOf(now - KEPT_MINUTES_MS, HOUR_MS)
  const countAt = (at: number) => (at < from || at >= now ? NOT_SAMPLED : players(at))
  const hours: Hour[] = []
  for (let hour = startOf(from, HOUR_MS); hour < now; hour += HOUR_MS) {
    const counts = Array.from({ length: MINUTES_OF_HOUR }, (_, minute) => countAt(hour + minute * MINUTE_MS))
    hours.push({ hour: new Date(hour), counts })
  }
  for (let at = 0; at < hours.length; at += HOURS_AT_ONCE) await insertMinutes(db, publicId, hours.slice(at, at + HOURS_AT_ONCE), kept)
  for (const level of [LEVELS.day, LEVELS.week]) {
    const { stepMinutes, steps, spanMs } = level
    const first = level === LEVELS.day ? Math.max(from, now - DAYS_MS) : from
    for (let begin = startOf(first, spanMs); begin + spanMs <= now; begin += spanMs) {
      const span = { stepMinutes, from: new Date(begin), to: new Date(begin + spanMs) }
      const sampledMinutes = Array.from({ length: steps }, (_, step) => {
        const minutes = Array.from({ length: stepMinutes }, (_minute, minute) => begin + (step * stepMinutes + minute) * MINUTE_MS)
        return minutes.filter((at) => countAt(at) !== NOT_SAMPLED).length
      })
      await transaction(db, (trx) => withEarlierCreation(trx, publicId, from, () => insertHistory(trx, span, [publicId], sampledMinutes)))
      await addToList(db, publicId, level, span.from, sampledMinutes)
    }
  }
  await db.deleteFrom('player_samples').where('server_id', '=', publicId).where('hour', '<', new Date(kept)).execute()
}

/**
 * The rollup counts offline hours since the server's creation, so `created_at` is moved back while it runs. It is restored to the
 * microsecond, because it identifies the live state of this server.
 */
async function withEarlierCreation(trx: Db, publicId: string, since: number, make: () => Promise<void>): Promise<void> {
  const server = sql`public_id = ${publicId}`
  const { rows } = await sql<{ created_at: string }>`select created_at::text as created_at from servers where ${server} for update`.execute(
    trx,
  )
  await sql`update servers set created_at = least(created_at, ${new Date(since)}::timestamptz) where ${server}`.execute(trx)
  await make()
  await sql`update servers set created_at = ${rows[0]?.created_at}::timestamptz where ${server}`.execute(trx)
}

interface Hour {
  readonly hour: Date
  readonly counts: readonly number[]
}

async function insertMinutes(db: Db, publicId: string, hours: readonly Hour[], kept: number): Promise<void> {
  const rows = hours.filter(({ counts }) => counts.some((count) => count >= 0))
  if (rows.length > 0) {
    await db
      .insertInto('player_samples')
      .values(rows.map(({ hour, counts }) => ({ server_id: publicId, hour, players: [...counts] })))
      .onConflict((conflict) => conflict.columns(['server_id', 'hour']).doUpdateSet((q) => ({ players: q.ref('excluded.players') })))
      .execute()
  }
  for (const { hour, counts } of hours) {
    if (hour.getTime() < kept) continue
    const ofList = (of: (count: number) => number) =>
      sql`${counts.map((count) => (count === NOT_SAMPLED ? NOT_SAMPLED : of(count)))}::integer[]`
    await sql`
      insert into list_samples as l (hour, players, servers)
      values (${hour}, ${ofList((count) => Math.max(0, count))}, ${ofList((count) => (count < 0 ? 0 : 1))})
      on conflict (hour) do update set (players, servers) = (
        select array_agg(case when n.p < 0 then n.lp else greatest(n.lp, 0) + n.p end order by n.at),
          array_agg(case when n.p < 0 then n.ls else greatest(n.ls, 0) + n.s end order by n.at)
        from unnest(l.players, l.servers, excluded.players, excluded.servers) with ordinality as n (lp, ls, p, s, at))`.execute(db)
  }
}

/** Adds to the days and weeks of the whole list, as if all servers peaked at the same time. */
async function addToList(db: Db, publicId: string, { stepMinutes }: Level, from: Date, sampledMinutes: number[]): Promise<void> {
  const existing = await db
    .selectFrom('player_history')
    .select('steps')
    .where('server_id', '=', publicId)
    .where('step_minutes', '=', stepMinutes)
    .where('from_at', '=', from)
    .executeTakeFirst()
  const old = await db
    .selectFrom('list_history')
    .selectAll()
    .where('step_minutes', '=', stepMinutes)
    .where('from_at', '=', from)
    .executeTakeFirst()
  const steps = existing === undefined ? [] : unpackSteps(existing.steps, stepMinutes)
  const added = (numbers: readonly number[] | undefined, of: (index: number) => number) =>
    sampledMinutes.map((_, index) => (numbers?.[index] ?? 0) + of(index))
  const isOn = (index: number) => ((steps[index]?.online ?? 0) > 0 ? 1 : 0)
  const row = {
    players_average: added(old?.players_average, (index) => steps[index]?.average ?? 0),
    players_highest: added(old?.players_highest, (index) => steps[index]?.highest ?? 0),
    servers_average: added(old?.servers_average, isOn),
    servers_highest: added(old?.servers_highest, isOn),
    sampled_minutes: sampledMinutes.map((minutes, index) => Math.max(minutes, old?.sampled_minutes[index] ?? 0)),
  }
  await db
    .insertInto('list_history')
    .values({ step_minutes: stepMinutes, from_at: from, ...row })
    .onConflict((conflict) => conflict.columns(['step_minutes', 'from_at']).doUpdateSet(row))
    .execute()
}
