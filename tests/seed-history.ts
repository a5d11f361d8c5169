/** A past for a server: what the program would have kept of it, made by the program's own statements. */
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
/** More than the program keeps of them: there is something to delete. */
const DAYS_MS = 40 * DAY_MS

export interface Past {
  /** How far back it goes; a year and a day where nothing is said. */
  readonly days?: number
  /** Of the minute that begins then (wall milliseconds): -1 offline, -2 nobody looked. An evening rush where nothing is said. */
  readonly players?: (at: number) => number
}

/** 5 to 60 players, most of them at eight in the evening (UTC), more on some days than on others; offline for a quarter of an hour at five. */
export function eveningRush(at: number): number {
  const hour = (at % DAY_MS) / HOUR_MS
  if (hour >= 5 && hour < 5.25) return OFFLINE
  const ofDay = (1 + Math.cos(((hour - 20) / 24) * 2 * Math.PI)) / 2
  return 5 + Math.round(45 * ofDay ** 2) + (Math.floor(at / DAY_MS) % 11)
}

/** The most that an evening rush had in the whole minutes from a moment to another: it depends on the days in between. */
export function mostOf(from: number, to: number): number {
  let most = 0
  for (let at = from; at + MINUTE_MS <= to; at += MINUTE_MS) most = Math.max(most, eveningRush(at))
  return most
}

/**
 * Stores the past of a server up to now: minutes of the last 8 days, 10-minute steps of the days that are over, hours of the weeks that
 * are. On the whole list it is added to what is there.
 */
export async function seedHistory(
  app: Pick<TestApp, 'db' | 'clock'>,
  publicId: string,
  { days = 366, players = eveningRush }: Past = {},
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
      const looked = Array.from({ length: steps }, (_, step) => {
        const minutes = Array.from({ length: stepMinutes }, (_minute, minute) => begin + (step * stepMinutes + minute) * MINUTE_MS)
        return minutes.filter((at) => countAt(at) !== NOT_SAMPLED).length
      })
      await transaction(db, (trx) => asIfThere(trx, publicId, from, () => insertHistory(trx, span, [publicId], looked)))
      await addToList(db, publicId, level, span.from, looked)
    }
  }
  await db.deleteFrom('player_samples').where('server_id', '=', publicId).where('hour', '<', new Date(kept)).execute()
}

/**
 * It was made a moment ago, and what is made of hours in which it was offline goes by when it was made. That moment is put back to the
 * microsecond: its live state is told from a former server's by it.
 */
async function asIfThere(trx: Db, publicId: string, since: number, make: () => Promise<void>): Promise<void> {
  const server = sql`public_id = ${publicId}`
  const { rows } = await sql<{ made_at: string }>`select created_at::text as made_at from servers where ${server} for update`.execute(trx)
  await sql`update servers set created_at = least(created_at, ${new Date(since)}::timestamptz) where ${server}`.execute(trx)
  await make()
  await sql`update servers set created_at = ${rows[0]?.made_at}::timestamptz where ${server}`.execute(trx)
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

/** Days and weeks of the whole list: as if all servers had their most at once. */
async function addToList(db: Db, publicId: string, { stepMinutes }: Level, from: Date, looked: number[]): Promise<void> {
  const made = await db
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
  const steps = made === undefined ? [] : unpackSteps(made.steps, stepMinutes)
  const added = (numbers: readonly number[] | undefined, of: (index: number) => number) =>
    looked.map((_, index) => (numbers?.[index] ?? 0) + of(index))
  const isOn = (index: number) => ((steps[index]?.online ?? 0) > 0 ? 1 : 0)
  const row = {
    players_average: added(old?.players_average, (index) => steps[index]?.average ?? 0),
    players_highest: added(old?.players_highest, (index) => steps[index]?.highest ?? 0),
    servers_average: added(old?.servers_average, isOn),
    servers_highest: added(old?.servers_highest, isOn),
    sampled_minutes: looked.map((minutes, index) => Math.max(minutes, old?.sampled_minutes[index] ?? 0)),
  }
  await db
    .insertInto('list_history')
    .values({ step_minutes: stepMinutes, from_at: from, ...row })
    .onConflict((conflict) => conflict.columns(['step_minutes', 'from_at']).doUpdateSet(row))
    .execute()
}
