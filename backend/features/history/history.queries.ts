import { sql } from 'kysely'
import { MAX_SERVER_EVENTS, type ServerEvent } from '#contract/history.ts'
import type { Db } from '#backend/platform/database/open.ts'
import type { ListSteps, Span } from './rollup.queries.ts'
import { unpackSteps } from './steps.ts'
import { LEVELS, MINUTE_MS } from './time.ts'

export async function findRollupEnds(db: Db): Promise<{ readonly day: Date | null; readonly week: Date | null }> {
  const newest = (stepMinutes: number) =>
    sql`(select from_at from list_history where step_minutes = ${stepMinutes} order by from_at desc limit 1)`
  const { rows } = await sql<{ day: Date | null; week: Date | null }>`
    select ${newest(LEVELS.day.stepMinutes)} + interval '1 day' as day, ${newest(LEVELS.week.stepMinutes)} + interval '7 days' as week`.execute(
    db,
  )
  return rows[0] ?? { day: null, week: null }
}

/** Start of a server's history in wall milliseconds. Reads minutes first: those deleted before the second query are already rolled up. */
export async function findHistoryStart(db: Db, publicId: string): Promise<number | undefined> {
  const minutes = await sql<{ hour: Date | null }>`select min(hour) as hour from player_samples where server_id = ${publicId}`.execute(db)
  const rollups = await sql<{ step_minutes: number; from_at: Date; steps: Buffer }>`
    select level.step_minutes, oldest.from_at, oldest.steps
    from (values (${sql.lit(LEVELS.day.stepMinutes)}), (${sql.lit(LEVELS.week.stepMinutes)})) level (step_minutes) cross join lateral (
      select from_at, steps from player_history h
      where h.server_id = ${publicId} and h.step_minutes = level.step_minutes order by from_at limit 1
    ) oldest`.execute(db)
  const starts = minutes.rows.flatMap(({ hour }) => (hour === null ? [] : [hour.getTime()]))
  for (const { step_minutes: stepMinutes, from_at: from, steps } of rollups.rows) {
    const step = unpackSteps(steps, stepMinutes).findIndex(({ sampled }) => sampled > 0)
    if (step !== -1) starts.push(from.getTime() + step * stepMinutes * MINUTE_MS)
  }
  return starts.length === 0 ? undefined : Math.min(...starts)
}

/** The list's sampled minutes in each step of rolled-up days or weeks. */
export function listSampledSteps(db: Db, { stepMinutes, from, to }: Span) {
  return db
    .selectFrom('list_history')
    .select(['from_at', 'sampled_minutes'])
    .where('step_minutes', '=', stepMinutes)
    .where('from_at', '>=', from)
    .where('from_at', '<', to)
    .execute()
}

/** The packed days or weeks in which these servers were online. */
export function listServerRollups(db: Db, publicIds: readonly string[], { stepMinutes, from, to }: Span) {
  return db
    .selectFrom('player_history')
    .select(['server_id', 'from_at', 'steps'])
    .where('server_id', '=', sql<string>`any(${publicIds}::text[])`)
    .where('step_minutes', '=', stepMinutes)
    .where('from_at', '>=', from)
    .where('from_at', '<', to)
    .execute()
}

export function listTotalRollups(db: Db, { stepMinutes, from, to }: Span): Promise<(ListSteps & { readonly from_at: Date })[]> {
  return db
    .selectFrom('list_history')
    .select(['from_at', 'sampled_minutes', 'players_average', 'players_highest', 'servers_average', 'servers_highest'])
    .where('step_minutes', '=', stepMinutes)
    .where('from_at', '>=', from)
    .where('from_at', '<', to)
    .execute()
}

export type ServerEventRow = Omit<ServerEvent, 'at'> & { readonly at: Date }

/** A server's restarts and updates, and its bans under its current owner. Oldest first; the newest if there are too many. */
export async function listServerEvents(
  db: Db,
  { public_id: publicId, owner_id: ownerId }: { readonly public_id: string; readonly owner_id: string },
  from: Date,
): Promise<ServerEventRow[]> {
  const { rows } = await sql<ServerEventRow>`
    select at, case when version = previous_version then 'restart' else 'update' end as kind, version, previous_version,
      extract(epoch from at - offline_since)::integer as offline_seconds
    from server_restarts where server_id = ${publicId} and at >= ${from}::timestamptz
    union all
    select at, case action when 'SERVER_BANNED' then 'ban' else 'unban' end, null, null, null
    from activity
    where server_id = ${publicId} and owner_id = ${ownerId}::uuid and action in ('SERVER_BANNED', 'SERVER_UNBANNED')
      and at >= ${from}::timestamptz
    order by at desc limit ${MAX_SERVER_EVENTS}`.execute(db)
  return rows.toReversed()
}

export function listSampleHours(db: Db, publicIds: readonly string[], from: Date, to: Date) {
  return db
    .selectFrom('player_samples')
    .select(['server_id', 'hour', 'players'])
    .where('server_id', '=', sql<string>`any(${publicIds}::text[])`)
    .where('hour', '>=', from)
    .where('hour', '<=', to)
    .execute()
}

export function listTotalSampleHours(db: Db, from: Date, to: Date) {
  return db.selectFrom('list_samples').selectAll().where('hour', '>=', from).where('hour', '<=', to).execute()
}
