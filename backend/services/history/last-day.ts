/** The last day of many servers in half-hour steps, for small graphs, with the peak of their total. */
import { sql } from 'kysely'
import { BUCKETS } from './buckets.ts'
import type { HistoryDeps } from './history.ts'
import { DAY_MS, HOUR_MS, startOf } from './time.ts'

const STEP_MS = HOUR_MS / 2
const STEPS = DAY_MS / STEP_MS

export interface LastDay {
  /** Start of the first step in wall milliseconds; the last step is incomplete. */
  readonly from: number
  readonly stepMs: number
  /** By server in the requested order; null if it was offline or not sampled throughout. */
  readonly highest: ReadonlyMap<string, readonly (number | null)[]>
  /**
   * The first five minutes with the most players: the average of the total, or the highest number of one server. Above the true peak only
   * if servers were online in different minutes of the same five.
   */
  readonly peak: { readonly players: number; readonly at: Date } | undefined
}

export async function lastDayOf({ db, clock }: HistoryDeps, publicIds: readonly string[]): Promise<LastDay> {
  const now = clock.now()
  const from = startOf(now, STEP_MS) - (STEPS - 1) * STEP_MS
  const isRead = sql`server_id = any(${publicIds}::text[]) and bucket_minutes = ${BUCKETS.fiveMinutes.minutes} and online > 0
    and at >= ${new Date(from)}::timestamptz and at <= ${new Date(now)}::timestamptz`
  const steps = await sql<{ server_id: string; step: number; highest: number }>`
    select server_id, floor(extract(epoch from at - ${new Date(from)}::timestamptz) * 1000 / ${sql.lit(STEP_MS)})::integer as step,
      max(highest) as highest
    from player_buckets where ${isRead} group by 1, 2`.execute(db)
  const peaks = await sql<{ players: number; at: Date }>`
    select greatest(max(highest), ceil(sum(players)::numeric / max(online)))::integer as players, at
    from player_buckets where ${isRead} group by at order by 1 desc, at limit 1`.execute(db)
  const highest = new Map(publicIds.map((publicId) => [publicId, Array.from({ length: STEPS }, (): number | null => null)]))
  for (const row of steps.rows) highest.get(row.server_id)?.splice(row.step, 1, row.highest)
  return { from, stepMs: STEP_MS, highest, peak: peaks.rows[0] }
}
