/** Sets and lifts the ban of a server that is held, and writes down who did it. */
import { sql } from 'kysely'
import type { Db } from '#backend/platform/database/open.ts'
import { BY_SYSTEM, type By, diff, recordEvent } from '#backend/features/events/events.ts'
import { type RememberedBan, forgetBans } from './remembered-bans.ts'
import { type ServerRow, updateServer } from './servers.queries.ts'

type Ban = Pick<ServerRow, 'banned' | 'ban_reason' | 'banned_until'>

export async function setBan(trx: Db, row: ServerRow, next: Ban, by: By): Promise<ServerRow> {
  const before: Ban = { banned: row.banned, ban_reason: row.ban_reason, banned_until: row.banned_until }
  const changed = diff(before, { ...next })
  if (changed === undefined) return row
  const updated = await updateServer(trx, row.public_id, { ...next, banned_at: next.banned ? sql<Date>`coalesce(banned_at, now())` : null })
  const action = next.banned ? 'SERVER_BANNED' : 'SERVER_UNBANNED'
  await recordEvent(trx, { action, ...by, ownerId: row.owner_id, server: row, ...changed })
  if (!next.banned) await forgetBans(trx, row)
  return updated
}

/** The ban of a deleted server falls on this one; without a ban it stays as it is. */
export function banAgain(trx: Db, row: ServerRow, ban: RememberedBan | undefined): Promise<ServerRow> {
  if (ban === undefined || row.banned) return Promise.resolve(row)
  return setBan(trx, row, { banned: true, ...ban }, BY_SYSTEM)
}
