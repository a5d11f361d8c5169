import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#backend/platform/database/open.ts'
import { MINUTE_CODES, SHARE_LEVELS } from './steps.ts'
import { NOT_SAMPLED } from '#backend/platform/database/tables/player-samples.ts'

/** Whole days or weeks. The step length tells which. */
export interface Span {
  readonly stepMinutes: number
  readonly from: Date
  readonly to: Date
}

/** The counterpart of `unpackStep`. All operands are integers. */
function packed(minutes: number, step: Record<'average' | 'highest' | 'online' | 'sampled', RawBuilder<number>>): RawBuilder<number> {
  const { average, highest, online, sampled } = step
  return sql`(${highest} * (${highest} + 1) / 2 + ${average}) * ${sql.lit(MINUTE_CODES)} + case ${sampled}
    when ${sql.lit(minutes)} then ${online}
    when 0 then ${sql.lit(minutes + 1)}
    else ${sql.lit(minutes + 1)} + (${sampled} * 10 + ${sql.lit(minutes - 1)}) / ${sql.lit(minutes)} * ${sql.lit(SHARE_LEVELS)}
      + (${online} * ${sql.lit(2 * (SHARE_LEVELS - 1))} + ${sampled}) / (2 * ${sampled}) end`
}

/** Includes deleted servers, whose history continues if they are restored. */
export async function listServerIds(db: Db, after: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('all_servers')
    .select('public_id')
    .where('public_id', '>', after)
    .orderBy('public_id')
    .limit(limit)
    .execute()
  return rows.map((row) => row.public_id)
}

/**
 * Inserts the missing rows of these servers from their minutes. Locks the servers in id order, as `upsertSamples` does.
 * @param sampled the sampled minutes of the list in each step: the only information about hours in which a server was offline.
 */
export async function insertHistory(
  trx: Db,
  { stepMinutes, from, to }: Span,
  publicIds: readonly string[],
  sampled: readonly number[],
): Promise<void> {
  const step = {
    average: sql<number>`coalesce(t.average, 0)`,
    highest: sql<number>`coalesce(t.highest, 0)`,
    online: sql<number>`coalesce(t.online, 0)`,
    sampled: sql<number>`coalesce(t.sampled, g.sampled)`,
  }
  await sql`
    with locked as materialized (
      select public_id, created_at from all_servers where public_id = any(${publicIds}::text[]) order by public_id for key share
    )
    insert into player_history (server_id, step_minutes, from_at, steps)
    select h.public_id, ${stepMinutes}::smallint, ${from}::timestamptz, packed.steps
    from locked h cross join lateral (
      select string_agg(int4send(${packed(stepMinutes, step)}), '' order by g.step) as steps, bool_or(t.online > 0) as was_online
      from (
        select step::integer, case when ${from}::timestamptz + (step - 1) * ${sql.lit(stepMinutes)} * interval '1 minute' < h.created_at then 0 else sampled end as sampled
        from unnest(${sampled}::integer[]) with ordinality as n (sampled, step)
      ) g left join (
        select (extract(epoch from s.hour - ${from}::timestamptz)::integer / 60 + m.minute::integer - 1) / ${sql.lit(stepMinutes)} + 1 as step,
          count(*) filter (where m.players <> ${sql.lit(NOT_SAMPLED)})::integer as sampled,
          count(*) filter (where m.players >= 0)::integer as online,
          max(m.players) filter (where m.players >= 0)::integer as highest,
          round(avg(m.players) filter (where m.players >= 0))::integer as average
        from player_samples s cross join lateral unnest(s.players) with ordinality as m (players, minute)
        where s.server_id = h.public_id and s.hour >= ${from}::timestamptz and s.hour < ${to}::timestamptz
        group by 1
      ) t using (step)
    ) packed
    where packed.was_online
    order by h.public_id
    on conflict do nothing`.execute(trx)
}

/** Finished days or weeks that have minutes but no row in `list_history`, oldest first. */
export async function listPendingSpans(db: Db, stepMinutes: number, spanMs: number, before: Date, limit: number): Promise<Date[]> {
  const span = sql`(${spanMs} * interval '1 millisecond')`
  const firstFrom = (from: ReturnType<typeof sql>) => sql`(
    select date_bin(${span}, least(
      (select min(hour) from player_samples where hour >= ${from}), (select min(hour) from list_samples where hour >= ${from})
    ), timestamptz '1970-01-05 00:00Z'))`
  const { rows } = await sql<{ from_at: Date }>`
    with recursive known (from_at) as (
      select ${firstFrom(sql`timestamptz '-infinity'`)}
      union all
      select ${firstFrom(sql`known.from_at + ${span}`)} from known where known.from_at + ${span} <= ${before}::timestamptz
    )
    select from_at from known
    where from_at + ${span} <= ${before}::timestamptz
      and not exists (select from list_history l where l.step_minutes = ${stepMinutes} and l.from_at = known.from_at)
    order by 1 limit ${limit}`.execute(db)
  return rows.map((row) => row.from_at)
}

/** The whole list's minutes of a day or week: 60 numbers per stored hour. */
export function listTotalSamples(db: Db, from: Date, to: Date) {
  return db.selectFrom('list_samples').selectAll().where('hour', '>=', from).where('hour', '<', to).orderBy('hour').execute()
}

export interface ListSteps {
  readonly players_average: number[]
  readonly players_highest: number[]
  readonly servers_average: number[]
  readonly servers_highest: number[]
  readonly sampled_minutes: number[]
}

/** Stores the totals of the list; this row marks the day or week as rolled up. */
export async function insertListHistory(db: Db, { stepMinutes, from }: Span, steps: ListSteps): Promise<void> {
  await db
    .insertInto('list_history')
    .values({ step_minutes: stepMinutes, from_at: from, ...steps })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Deletes a batch and returns its size. Skips locked rows, such as of a server that is being deleted. */
async function deleteBatch(
  db: Db,
  table: 'player_history' | 'player_samples' | 'server_restarts',
  where: RawBuilder<unknown>,
  limit: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where ctid = any(array(
      select ctid from ${sql.table(table)} where ${where} limit ${limit} for update skip locked))`.execute(db)
  return Number(numAffectedRows)
}

export function deleteHistoryBefore(db: Db, stepMinutes: number, before: Date, limit: number): Promise<number> {
  return deleteBatch(db, 'player_history', sql`step_minutes = ${stepMinutes} and from_at < ${before}::timestamptz`, limit)
}

export function deleteSamplesBefore(db: Db, before: Date, limit: number): Promise<number> {
  return deleteBatch(db, 'player_samples', sql`hour < ${before}::timestamptz`, limit)
}

/** Restarts expire with the days, and updates with the weeks. */
export function deleteRestartsBefore(db: Db, days: Date, weeks: Date, limit: number): Promise<number> {
  return deleteBatch(
    db,
    'server_restarts',
    sql`at < ${weeks}::timestamptz or (at < ${days}::timestamptz and version = previous_version)`,
    limit,
  )
}

/** Keeps the newest restarts of each server. Only servers with a restart since this time can have gained too many. */
export function deleteExcessRestarts(db: Db, max: number, since: Date, limit: number): Promise<number> {
  const isExcess = sql`(server_id, at) in (
    select r.server_id, r.at
    from (
      select server_id, (array_agg(at order by at desc))[${sql.lit(max)}] as oldest_kept from server_restarts
      where server_id in (select server_id from server_restarts where at >= ${since}::timestamptz)
      group by server_id having count(*) > ${sql.lit(max)}
    ) crowded join server_restarts r on r.server_id = crowded.server_id and r.at < crowded.oldest_kept)`
  return deleteBatch(db, 'server_restarts', isExcess, limit)
}

/** Not in batches, because there is only one row per hour, day and week. */
export async function deleteOldListHistory(db: Db, minutes: Date, days: Date, weeks: Date): Promise<void> {
  await db.deleteFrom('list_samples').where('hour', '<', minutes).execute()
  await db
    .deleteFrom('list_history')
    .where((q) =>
      q.or([q.and([q('step_minutes', '=', 10), q('from_at', '<', days)]), q.and([q('step_minutes', '=', 60), q('from_at', '<', weeks)])]),
    )
    .execute()
}
