/** The last day of many servers in half-hour steps, for small graphs, with the peak of their total. */
import { sql } from 'kysely'
import { BUCKETS, noCounts } from './buckets.ts'
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
  /** The first five minutes with the most players. */
  readonly peak: { readonly players: number; readonly at: number } | null
}

interface BucketOfAll {
  readonly at: number
  readonly players: number
  readonly highest: number
  /** Minutes of the server that was online longest. */
  readonly online: number
}

export async function lastDayOf({ db, clock }: HistoryDeps, recent: RecentBuckets, publicIds: readonly string[]): Promise<LastDay> {
  const now = clock.now()
  const from = startOf(now, STEP_MS) - (STEPS - 1) * STEP_MS
  const isRead = sql`server_id = any(${publicIds}::text[]) and bucket_minutes = ${BUCKETS.fiveMinutes.minutes} and online > 0
    and at >= ${new Date(from)}::timestamptz and at < ${new Date(Math.min(now + 1, recent.from))}::timestamptz`
  const steps = await sql<{ server_id: string; step: number; highest: number }>`
    select server_id, floor(extract(epoch from at - ${new Date(from)}::timestamptz) * 1000 / ${sql.lit(STEP_MS)})::integer as step,
      max(highest) as highest
    from player_buckets where ${isRead} group by 1, 2`.execute(db)
  const buckets = await sql<BucketOfAll>`
    select extract(epoch from at)::float8 * 1000 as at, sum(players)::integer as players, max(highest) as highest, max(online) as online
    from player_buckets where ${isRead} group by player_buckets.at order by 1`.execute(db)
  const highest = new Map(publicIds.map((publicId) => [publicId, Array.from({ length: STEPS }, (): number | null => null)]))
  const addToStep = (publicId: string, step: number, players: number) => {
    const own = highest.get(publicId)
    if (own !== undefined && step in own) own[step] = Math.max(own[step] ?? 0, players)
  }
  for (const row of steps.rows) addToStep(row.server_id, row.step, row.highest)
  const sampled = recent.buckets.filter((bucket) => bucket.at >= from && bucket.at <= now)
  for (const { at, servers } of sampled) {
    const sum = { at, players: 0, highest: 0, online: 0 }
    for (const publicId of publicIds) {
      const { players, highest: most, online } = servers.get(publicId) ?? noCounts()
      if (online === 0) continue
      addToStep(publicId, Math.floor((at - from) / STEP_MS), most)
      sum.players += players
      sum.highest = Math.max(sum.highest, most)
      sum.online = Math.max(sum.online, online)
    }
    if (sum.online > 0) buckets.rows.push(sum)
  }
  return { from, stepMs: STEP_MS, highest, peak: peakOf(buckets.rows) }
}

/**
 * The average of the total, or the highest number of one server. Above the true peak only if servers were online in different minutes
 * of the same five. @param buckets oldest first.
 */
function peakOf(buckets: readonly BucketOfAll[]): LastDay['peak'] {
  let peak: LastDay['peak'] = null
  for (const { at, players, highest, online } of buckets) {
    const together = Math.max(highest, Math.ceil(players / online))
    if (together > (peak?.players ?? -1)) peak = { players: together, at }
  }
  return peak
}
