/** The SQL of the stored buckets. */
import { type RawBuilder, sql } from 'kysely'
import { transaction } from '#backend/platform/database/transaction.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { BUCKETS, type Counts, type ListCounts, noCounts, noListCounts } from './buckets.ts'

/** Servers per transaction: about a millisecond to prepare. */
const WRITE_BATCH = 1000

/**
 * Stores a bucket of many servers. What was sampled in more minutes wins. Locks the servers in key order, as a deletion does.
 * Each column is sent as one text, because the driver escapes every element of an array.
 */
export async function insertBuckets(db: Db, at: Date, servers: ReadonlyMap<string, Counts>): Promise<void> {
  const all = [...servers].toSorted(([a], [b]) => (a < b ? -1 : 1))
  for (let start = 0; start < all.length; start += WRITE_BATCH) {
    const batch = all.slice(start, start + WRITE_BATCH)
    const column = (valueOf: (counts: Counts) => number) => sql`${`{${batch.map(([, counts]) => valueOf(counts)).join(',')}}`}::integer[]`
    await transaction(db, (trx) =>
      sql`
        with n as (
          select * from unnest(string_to_array(${batch.map(([publicId]) => publicId).join(' ')}, ' '), ${column((counts) => counts.players)},
            ${column((counts) => counts.highest)}, ${column((counts) => counts.online)}, ${column((counts) => counts.sampled)}
          ) as n (server_id, players, highest, online, sampled)
        ), locked as materialized (
          select s.public_id from all_servers s where s.public_id in (select server_id from n) order by s.public_id for key share
        )
        insert into player_buckets as b (server_id, bucket_minutes, at, players, highest, online, sampled)
        select n.server_id, ${BUCKETS.fiveMinutes.minutes}, ${at}::timestamptz, n.players, n.highest, n.online, n.sampled
        from locked join n on n.server_id = locked.public_id order by 1
        on conflict (server_id, bucket_minutes, at) do update
        set (players, highest, online, sampled) = (excluded.players, excluded.highest, excluded.online, excluded.sampled)
        where excluded.sampled > b.sampled`.execute(trx),
    )
  }
}

export async function insertListBucket(db: Db, at: Date, { sampled, players, servers, players_highest, servers_highest }: ListCounts) {
  await sql`
    insert into list_buckets as b (bucket_minutes, at, sampled, players, servers, players_highest, servers_highest)
    values (${BUCKETS.fiveMinutes.minutes}, ${at}, ${sampled}, ${players}, ${servers}, ${players_highest}, ${servers_highest})
    on conflict (bucket_minutes, at) do update set (sampled, players, servers, players_highest, servers_highest) =
      (excluded.sampled, excluded.players, excluded.servers, excluded.players_highest, excluded.servers_highest)
    where excluded.sampled > b.sampled`.execute(db)
}

export async function findListBucket(db: Db, at: Date): Promise<ListCounts | undefined> {
  const row = await db
    .selectFrom('list_buckets')
    .select(['sampled', 'players', 'servers', 'players_highest', 'servers_highest'])
    .where('bucket_minutes', '=', BUCKETS.fiveMinutes.minutes)
    .where('at', '=', at)
    .executeTakeFirst()
  return row && { ...row, players: Number(row.players), servers: Number(row.servers) }
}

/** Equal steps. Times are wall milliseconds. */
export interface StepRange {
  readonly from: number
  readonly stepMs: number
  readonly count: number
  /** Buckets that end later are not read. */
  readonly to: number
  /** The smallest buckets are always five minutes. */
  readonly coarsest: keyof typeof BUCKETS
}

/** The lengths of the buckets that are read, in minutes, largest first. */
const lengthsIn = ({ coarsest }: StepRange): readonly number[] =>
  Object.values(BUCKETS)
    .map((level) => level.minutes)
    .filter((length) => length <= BUCKETS[coarsest].minutes)
    .toSorted((a, b) => b - a)

/** The buckets of the list in a range: the largest ones up to the last that is rolled up, then smaller ones. */
function bucketsIn(range: StepRange): RawBuilder<unknown> {
  const { from, to } = range
  const isWithin = (length: number) =>
    sql`bucket_minutes = ${sql.lit(length)} and at <= ${new Date(to)}::timestamptz - ${sql.lit(length)} * interval '1 minute'`
  let start = sql`${new Date(from)}::timestamptz`
  const parts = lengthsIn(range).map((length) => {
    const part = sql`select * from list_buckets where ${isWithin(length)} and at >= ${start}`
    start = sql`greatest(${start}, (
      select max(at) + ${sql.lit(length)} * interval '1 minute' from list_buckets where ${isWithin(length)} and at >= ${new Date(from)}::timestamptz
    ))`
    return part
  })
  return sql.join(parts, sql` union all `)
}

/** Sampled minutes of a server `s` in a bucket of the list `l`. A server without a row `b` was offline, unless it did not exist yet. */
export const sampledOf = sql`coalesce(b.sampled, case when l.at >= s.created_at then l.sampled else 0 end)`

const stepOf = ({ from, stepMs }: StepRange) =>
  sql`floor(extract(epoch from l.at - ${new Date(from)}::timestamptz) * 1000 / ${sql.lit(stepMs)})::integer`

/** The rows of a server `s` from the first bucket of each length in `l` on. */
const serverBuckets = (range: StepRange) =>
  sql.join(
    lengthsIn(range).map(
      (length) => sql`
            select * from player_buckets where server_id = s.server_id and bucket_minutes = ${sql.lit(length)}
              and at >= (select min(at) from l where bucket_minutes = ${sql.lit(length)})`,
    ),
    sql` union all `,
  )

/** The steps of each server. */
export async function listServerSteps(
  db: Db,
  servers: readonly { readonly publicId: string; readonly createdAt: number }[],
  range: StepRange,
): Promise<ReadonlyMap<string, readonly Counts[]>> {
  const { rows } = await sql<{ server_id: string; steps: number[][] | null }>`
    with l as materialized (select l.*, ${stepOf(range)} as step from (${bucketsIn(range)}) l)
    select s.server_id, steps.steps
    from unnest(${servers.map(({ publicId }) => publicId)}::text[], ${servers.map(({ createdAt }) => new Date(createdAt))}::timestamptz[])
      as s (server_id, created_at)
    cross join lateral (
      select json_agg(json_build_array(step, players, highest, online, sampled)) as steps
      from (
        select l.step, coalesce(sum(b.players), 0) as players, coalesce(max(b.highest), 0) as highest,
          coalesce(sum(b.online), 0) as online, sum(${sampledOf}) as sampled
        from l left join (${serverBuckets(range)}
        ) b on b.bucket_minutes = l.bucket_minutes and b.at = l.at
        group by 1
      ) step where step.sampled > 0
    ) steps`.execute(db)
  return new Map(
    rows.map(({ server_id, steps: stored }) => {
      const steps = Array.from({ length: range.count }, noCounts)
      for (const [step = 0, players = 0, highest = 0, online = 0, sampled = 0] of stored ?? [])
        steps[step] = { players, highest, online, sampled }
      return [server_id, steps]
    }),
  )
}

export async function listTotalSteps(db: Db, range: StepRange): Promise<readonly ListCounts[]> {
  const { rows } = await sql<{ step: number } & ListCounts>`
    select ${stepOf(range)} as step, sum(sampled)::integer as sampled, sum(players)::float8 as players, sum(servers)::float8 as servers,
      max(players_highest) as players_highest, max(servers_highest) as servers_highest
    from (${bucketsIn(range)}) l group by 1`.execute(db)
  const steps = Array.from({ length: range.count }, noListCounts)
  for (const { step, ...counts } of rows) steps[step] = counts
  return steps
}

/** The first bucket of a step with this highest number, as short as it is still stored. @param publicId undefined for the whole list. */
export async function findPeak(db: Db, publicId: string | undefined, highest: number, from: Date, to: Date) {
  const source =
    publicId === undefined
      ? sql`list_buckets where players_highest = ${highest}`
      : sql`player_buckets where highest = ${highest} and online > 0 and server_id = ${publicId}`
  const { rows } = await sql<{ at: Date; bucket_minutes: number }>`
    select at, bucket_minutes from ${source} and bucket_minutes in (5, 60, 1440) and at >= ${from}::timestamptz and at < ${to}::timestamptz
    order by bucket_minutes, at limit 1`.execute(db)
  return rows[0]
}

/** Whether a server has history before a moment. */
export async function hasHistoryBefore(db: Db, publicId: string, before: Date): Promise<boolean> {
  const { rows } = await sql`
    select from player_buckets where server_id = ${publicId} and bucket_minutes in (5, 60, 1440) and at < ${before}::timestamptz limit 1`.execute(
    db,
  )
  return rows.length > 0
}
