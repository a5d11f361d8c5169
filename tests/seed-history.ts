/** Inserts player history of a server, as the program would have stored it. */
import { sql } from 'kysely'
import { BUCKETS } from '#backend/services/history/buckets.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, startOf } from '#backend/services/history/time.ts'
import type { TestApp } from './harness.ts'

type Db = TestApp['db']

/** Instead of a number of players: a minute in which the server was offline, and one without a sample. */
export const OFFLINE = -1
export const NOT_SAMPLED = -2

/** Longer than the program keeps hours, so that there is something to delete. */
const HOURS_MS = 40 * DAY_MS
const ROWS_AT_ONCE = 5000

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
 * Stores the history of a server up to now: five minutes of 8 days, and finished hours and days. Adds them to the history of the
 * whole list, as if all servers peaked at the same time.
 */
export async function seedHistory(
  app: Pick<TestApp, 'db' | 'clock'>,
  publicId: string,
  { days = 366, players = eveningRush }: HistoryOptions = {},
): Promise<void> {
  const now = startOf(app.clock.now(), MINUTE_MS)
  const from = now - days * DAY_MS
  for (const [{ minutes }, since] of [
    [BUCKETS.fiveMinutes, now - BUCKETS.fiveMinutes.keptMs],
    [BUCKETS.hour, now - HOURS_MS],
    [BUCKETS.day, from],
  ] as const) {
    const lengthMs = minutes * MINUTE_MS
    const rows: Bucket[] = []
    for (let at = startOf(Math.max(from, since), lengthMs); at < now; at += lengthMs) {
      if (at + lengthMs > now && minutes !== BUCKETS.fiveMinutes.minutes) continue
      rows.push({ at, ...countMinutes(at, minutes, (minute) => (minute < from || minute >= now ? NOT_SAMPLED : players(minute))) })
    }
    for (let start = 0; start < rows.length; start += ROWS_AT_ONCE)
      await insertBuckets(app.db, publicId, minutes, rows.slice(start, start + ROWS_AT_ONCE))
  }
}

interface Bucket {
  readonly at: number
  readonly players: number
  readonly highest: number
  readonly online: number
  readonly sampled: number
}

function countMinutes(at: number, minutes: number, playersAt: (minute: number) => number): Omit<Bucket, 'at'> {
  const counts = Array.from({ length: minutes }, (_, minute) => playersAt(at + minute * MINUTE_MS))
  const online = counts.filter((count) => count >= 0)
  return {
    players: online.reduce((sum, count) => sum + count, 0),
    highest: Math.max(0, ...online),
    online: online.length,
    sampled: counts.filter((count) => count !== NOT_SAMPLED).length,
  }
}

/** Also stores buckets in which the server was offline, because most histories are older than their server. */
async function insertBuckets(db: Db, publicId: string, minutes: number, buckets: readonly Bucket[]): Promise<void> {
  const rows = sql`json_to_recordset(${JSON.stringify(buckets)}::json)
    as r (at float8, players integer, highest integer, online integer, sampled integer)`
  await sql`
    insert into player_buckets (server_id, bucket_minutes, at, players, highest, online, sampled)
    select ${publicId}, ${minutes}::smallint, to_timestamp(at / 1000), players, highest, online, sampled from ${rows} where sampled > 0
    on conflict (server_id, bucket_minutes, at) do update set (players, highest, online, sampled) =
      (excluded.players, excluded.highest, excluded.online, excluded.sampled)`.execute(db)
  await sql`
    insert into list_buckets as l (bucket_minutes, at, sampled, players, servers, players_highest, servers_highest)
    select ${minutes}::smallint, to_timestamp(at / 1000), sampled, players, online, highest, least(online, 1) from ${rows} where sampled > 0
    on conflict (bucket_minutes, at) do update set (sampled, players, servers, players_highest, servers_highest) = (
      greatest(l.sampled, excluded.sampled), l.players + excluded.players, l.servers + excluded.servers,
      l.players_highest + excluded.players_highest, l.servers_highest + excluded.servers_highest)`.execute(db)
}
