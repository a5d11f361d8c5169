/**
 * Which servers have more players than usual: compared with their own average in the same hour a week ago. The thresholds are below:
 * a server that was offline or not registered then never trends, and neither does one more player or a burst of a few minutes.
 */
import { sql } from 'kysely'
import type { Registry } from '#backend/masterlist/registry/registry.ts'
import { BUCKETS, BUCKET_MS } from './buckets.ts'
import type { HistoryDeps } from './history.ts'
import { isRanked } from './list-summary.ts'
import { HOUR_MS, WEEK_MS, startOf } from './time.ts'

/** The hour a week ago needs as many minutes online. */
const MIN_BASELINE_MINUTES = 30
/** Players now: the lowest average of as many buckets. A burst of a few minutes falls into two. */
const RECENT_BUCKETS = 3
/** Less than both is the noise of an ordinary week. */
const MIN_GROWTH = 5
const MIN_GROWTH_SHARE = 0.2
/** Older results don't count, for example if the database is unavailable. */
const MAX_AGE_MS = 180_000

export class Trending {
  readonly #deps: HistoryDeps
  readonly #servers: Pick<Registry, 'get'>
  #growths: ReadonlyMap<string, number> = new Map()
  #refreshedAt = -Infinity

  constructor(deps: HistoryDeps, servers: Pick<Registry, 'get'>) {
    this.#deps = deps
    this.#servers = servers
  }

  /** Players now minus the average of the same hour a week ago. Undefined if the server is not trending. */
  growthOf(publicId: string): number | undefined {
    const server = this.#servers.get(publicId)
    if (server === undefined || !server.isListed || !isRanked(server)) return undefined
    return this.#deps.clock.uptime() - this.#refreshedAt < MAX_AGE_MS ? this.#growths.get(publicId) : undefined
  }

  /** Run once a minute. */
  async refresh(): Promise<void> {
    const { db, clock } = this.#deps
    const now = clock.now()
    const newest = sql<Date>`(select max(at) from list_buckets
      where bucket_minutes = ${BUCKETS.fiveMinutes.minutes} and at <= ${new Date(now - BUCKET_MS)}::timestamptz)`
    const { rows } = await sql<{ server_id: string; growth: number }>`
      select server_id, growth
      from (
        select b.server_id, min(round(b.players::numeric / b.sampled))::integer - round(h.players::numeric / h.online)::integer as growth,
          round(h.players::numeric / h.online)::integer as baseline
        from player_buckets b join player_buckets h on h.server_id = b.server_id
        where b.bucket_minutes = ${BUCKETS.fiveMinutes.minutes} and b.at > ${newest} - ${sql.lit(RECENT_BUCKETS)} * interval '5 minutes'
          and b.at <= ${newest} and b.at >= ${new Date(now - 2 * RECENT_BUCKETS * BUCKET_MS)}::timestamptz
          and h.bucket_minutes = ${BUCKETS.hour.minutes} and h.at = ${new Date(startOf(now, HOUR_MS) - WEEK_MS)}::timestamptz
          and h.online >= ${MIN_BASELINE_MINUTES}
        group by b.server_id, h.players, h.online having count(*) = ${RECENT_BUCKETS}
      ) g where growth >= ${MIN_GROWTH} and growth >= ${MIN_GROWTH_SHARE}::numeric * baseline`.execute(db)
    this.#growths = new Map(rows.map(({ server_id, growth }) => [server_id, growth]))
    this.#refreshedAt = clock.uptime()
  }
}
