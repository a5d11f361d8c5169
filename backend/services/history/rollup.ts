/** Rolls buckets up into hours and days, and deletes expired ones. Never deletes what is not rolled up; safe to repeat after a crash. */
import { sql } from 'kysely'
import type { Deps } from '#backend/platform/deps.ts'
import { deleteInBatches } from '#backend/platform/database/sql.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import { BUCKETS } from './buckets.ts'
import { sampledOf } from './buckets.queries.ts'
import type { PlayerSampler } from './player-sampler.ts'
import { HOUR_MS } from './time.ts'

/** Time for every node to write its last bucket. */
const FLUSH_GRACE_MS = 600_000
/** Hours or days per run; several runs catch up after a long downtime. */
const MAX_SPANS = 40
/** Per server. */
const MAX_RESTARTS = 500

const LEVELS = [
  { finer: BUCKETS.fiveMinutes.minutes, minutes: BUCKETS.hour.minutes },
  { finer: BUCKETS.hour.minutes, minutes: BUCKETS.day.minutes },
]
type Level = (typeof LEVELS)[number]
type Db = Deps['db']

export async function rollUpHistory(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  sampler: Pick<PlayerSampler, 'flush'>,
  stopping?: AbortSignal,
): Promise<void> {
  const now = clock.now()
  // After an outage, an hour is complete once the samples in memory are stored.
  await sampler.flush()
  for (const level of LEVELS) {
    const pendingSpans = await listPendingSpans(db, level, new Date(now - FLUSH_GRACE_MS))
    for (const from of pendingSpans) {
      if (stopping?.aborted === true) return
      await transaction(db, (trx) => rollUp(trx, level, from))
    }
    // More spans may be pending, so their buckets must stay.
    if (pendingSpans.length === MAX_SPANS) return
  }
  await deleteExpired(db, now, stopping)
}

const lengthOf = (minutes: number) => sql`(${sql.lit(minutes)} * interval '1 minute')`

/** Starts of finished hours or days that have smaller buckets and no row of their own, oldest first. */
async function listPendingSpans(db: Db, { finer, minutes }: Level, before: Date): Promise<Date[]> {
  const { rows } = await sql<{ from_at: Date }>`
    select from_at
    from (
      select distinct date_bin(${lengthOf(minutes)}, at, timestamptz '1970-01-01 00:00Z') as from_at
      from list_buckets where bucket_minutes = ${finer}
    ) f
    where from_at + ${lengthOf(minutes)} <= ${before}::timestamptz
      and not exists (select from list_buckets l where l.bucket_minutes = ${minutes} and l.at = f.from_at)
    order by 1 limit ${MAX_SPANS}`.execute(db)
  return rows.map((row) => row.from_at)
}

/** In buckets without a row, a server was offline in all minutes sampled since its registration. */
async function rollUp(trx: Db, { finer, minutes }: Level, from: Date): Promise<void> {
  const within = sql`bucket_minutes = ${finer} and at >= ${from}::timestamptz and at < ${from}::timestamptz + ${lengthOf(minutes)}`
  await sql`
    with online as materialized (
      select public_id, created_at from all_servers
      where public_id in (select server_id from player_buckets where ${within}) order by public_id for key share
    )
    insert into player_buckets (server_id, bucket_minutes, at, players, highest, online, sampled)
    select s.public_id, ${minutes}, ${from}, sum(b.players), max(b.highest), sum(b.online), sum(${sampledOf})
    from online s cross join (select * from list_buckets where ${within}) l
    left join (select * from player_buckets where ${within}) b on b.server_id = s.public_id and b.at = l.at
    group by s.public_id having sum(b.online) > 0 order by 1
    on conflict do nothing`.execute(trx)
  await sql`
    insert into list_buckets (bucket_minutes, at, sampled, players, servers, players_highest, servers_highest)
    select ${minutes}, ${from}, sum(sampled), sum(players), sum(servers), max(players_highest), max(servers_highest)
    from list_buckets where ${within}
    on conflict do nothing`.execute(trx)
}

async function deleteExpired(db: Db, now: number, stopping: AbortSignal | undefined): Promise<void> {
  for (const { minutes, keptMs } of Object.values(BUCKETS)) {
    const isExpired = sql`bucket_minutes = ${minutes} and at < ${new Date(now - keptMs)}::timestamptz`
    await deleteInBatches(db, 'player_buckets', isExpired, stopping)
    await deleteInBatches(db, 'list_buckets', isExpired, stopping)
  }
  // Updates are kept as long as days, and restarts as long as hours.
  const [hours, days] = [new Date(now - BUCKETS.hour.keptMs), new Date(now - BUCKETS.day.keptMs)]
  const isOld = sql`at < ${days}::timestamptz or (at < ${hours}::timestamptz and version = previous_version)`
  await deleteInBatches(db, 'server_restarts', isOld, stopping)
  // Only servers with a restart in the last hour can have gained too many.
  const isExcess = sql`(server_id, at) in (
    select r.server_id, r.at
    from (
      select server_id, (array_agg(at order by at desc))[${sql.lit(MAX_RESTARTS)}] as oldest_kept from server_restarts
      where server_id in (select server_id from server_restarts where at >= ${new Date(now - HOUR_MS)}::timestamptz)
      group by server_id having count(*) > ${sql.lit(MAX_RESTARTS)}
    ) crowded join server_restarts r on r.server_id = crowded.server_id and r.at < crowded.oldest_kept)`
  await deleteInBatches(db, 'server_restarts', isExcess, stopping)
}
