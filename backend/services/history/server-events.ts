/** A server's restarts, updates and bans, for its graph. */
import { sql } from 'kysely'
import { MAX_SERVER_EVENTS, type ServerEvent } from '#contract/history/history.ts'
import type { Db } from '#backend/platform/database/open.ts'

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
