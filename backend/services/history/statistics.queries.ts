import { sql } from 'kysely'
import type { Db } from '#backend/platform/database/open.ts'
import { BUCKETS } from './buckets.ts'

/** The rows created in each week. @param first start of the first week. */
export async function countNewByWeek(db: Db, first: Date, weeks: number) {
  const within = (column: string) => sql`${sql.ref(column)} >= week.from_at and ${sql.ref(column)} < week.from_at + interval '168 hours'`
  const { rows } = await sql<{ from_at: Date; servers: number; users: number }>`
    select week.from_at,
      (select count(*)::integer from servers where ${within('servers.created_at')}) as servers,
      (select count(*)::integer from users where ${within('users.created_at')}) as users
    from (select ${first}::timestamptz + n * interval '168 hours' as from_at from generate_series(0, ${weeks - 1}::integer) as n) week
    order by week.from_at`.execute(db)
  return rows
}

export async function countAll(db: Db): Promise<{ readonly servers: number; readonly users: number }> {
  const { rows } = await sql<{ servers: number; users: number }>`
    select (select count(*)::integer from servers) as servers, (select count(*)::integer from users) as users`.execute(db)
  return rows[0] ?? { servers: 0, users: 0 }
}

export interface RankedServer {
  readonly public_id: string
  readonly peak: number
  readonly average: number
}

/** The servers with the highest peak in finished days. */
export async function listHighestPeaks(db: Db, from: Date, limit: number): Promise<RankedServer[]> {
  const { rows } = await sql<RankedServer>`
    select server_id as public_id, max(highest) as peak, round(sum(players)::numeric / sum(online))::integer as average
    from player_buckets where bucket_minutes = ${BUCKETS.day.minutes} and at >= ${from}::timestamptz
    group by server_id order by peak desc, server_id limit ${limit}`.execute(db)
  return rows
}
