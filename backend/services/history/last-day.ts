/** The last day of many servers in half-hour steps, for small graphs, with the peak of their total. */
import { sql } from 'kysely'
import { BUCKETS, highestOf } from './buckets.ts'
import type { HistoryDeps } from './history.ts'
import type { RecentBuckets } from './player-sampler.ts'
import { DAY_MS, HOUR_MS, startOf } from './time.ts'

const STEP_MS = HOUR_MS / 2
const STEPS = DAY_MS / STEP_MS

export interface LastDay {
  /** Start of the first step in wall milliseconds; the last step is incomplete. */
  readonly from: number
  readonly stepMs: number
  /** By server in the requested order; null if it was offline or not sampled throughout. */
  readonly highest: ReadonlyMap<string, readonly (number | null)[]>
  /** The first five minutes with the highest total. */
  readonly peak: { readonly players: number; readonly at: number } | null
}

interface Highest {
  readonly server_id: string
  readonly at: number
  readonly highest: number
}

export async function lastDayOf({ db, clock }: HistoryDeps, recent: RecentBuckets, publicIds: readonly string[]): Promise<LastDay> {
  const now = clock.now()
  const from = startOf(now, STEP_MS) - (STEPS - 1) * STEP_MS
  const isRead = sql`server_id = any(${publicIds}::text[]) and bucket_minutes = ${BUCKETS.fiveMinutes.minutes} and online > 0
    and at >= ${new Date(from)}::timestamptz and at < ${new Date(Math.min(now + 1, recent.from))}::timestamptz`
  const steps = await sql<Highest>`
    select server_id, extract(epoch from date_bin(${sql.lit(STEP_MS / 60_000)} * interval '1 minute', at, timestamptz '1970-01-01 00:00Z'))::float8 * 1000 as at,
      max(highest) as highest
    from player_buckets where ${isRead} group by 1, 2`.execute(db)
  const totals = await sql<{ players: number; at: number }>`
    select sum(highest)::integer as players, extract(epoch from at)::float8 * 1000 as at
    from player_buckets where ${isRead} group by player_buckets.at order by 1 desc, 2 limit 1`.execute(db)
  const highest = new Map(publicIds.map((publicId) => [publicId, Array.from({ length: STEPS }, (): number | null => null)]))
  const add = ({ server_id, at, highest: players }: Highest) => {
    const own = highest.get(server_id)
    const step = Math.floor((at - from) / STEP_MS)
    if (own !== undefined && step >= 0 && step < STEPS) own[step] = Math.max(own[step] ?? 0, players)
  }
  for (const row of steps.rows) add(row)
  let peak = totals.rows[0] ?? null
  for (const { at, servers } of recent.buckets.filter((bucket) => bucket.at >= from && bucket.at <= now)) {
    const online = publicIds.flatMap((server_id) => {
      const players = highestOf(servers.get(server_id) ?? { players: 0, highest: 0, online: 0, sampled: 0 })
      return players === null ? [] : [{ server_id, at, highest: players }]
    })
    for (const each of online) add(each)
    const players = online.reduce((sum, each) => sum + each.highest, 0)
    if (online.length > 0 && players > (peak?.players ?? -1)) peak = { players, at }
  }
  return { from, stepMs: STEP_MS, highest, peak }
}
