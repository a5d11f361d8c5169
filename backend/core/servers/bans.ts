/** Server bans: administrators set them, and the ban job lifts and re-applies them. The job also lifts user bans. */
import { sql } from 'kysely'
import { lockServer } from '#backend/platform/database/lock-order.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { allOf } from '#backend/platform/database/sql.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { RetryLater } from '#backend/platform/retry-later.ts'
import { BY_SYSTEM, type EventActor, diff, recordEvent } from '#backend/core/events/events.ts'
import {
  type Ban,
  type BanRequest,
  MAX_EXPIRED_BANS,
  NO_BAN,
  isBanExpired,
  liftExpiredUserBan,
  listExpiredUserBans,
  nextBan,
} from '#backend/core/users/bans.ts'
import {
  type RememberedBan,
  findRememberedBanByAddress,
  deleteRememberedBans,
  deleteExpiredRememberedBans,
  listServersAtBannedAddress,
  rememberBan,
} from './remembered-bans.ts'
import { asAdministrator, withLockedServer } from './server-access.ts'
import { type ServerRow, findServers } from './servers.queries.ts'

/** Bans a server, or lifts its ban if `banned` is false. Includes deleted servers, because their owners can restore them. */
export function changeServerBan(db: Db, adminId: string, publicId: string, request: BanRequest): Promise<ServerRow> {
  const access = { includesDeleted: true }
  return withLockedServer(db, asAdministrator(adminId, publicId), access, async (trx, { as, actorId, row, isDeleted }) => {
    const updated = await setServerBan(trx, row, await nextBan(trx, row, request), { as, actorId })
    if (isDeleted) await rememberBan(trx, updated)
    return updated
  })
}

async function setServerBan(trx: Db, row: ServerRow, next: Ban, by: EventActor): Promise<ServerRow> {
  const changed = diff(row, next)
  if (changed === undefined) return row
  const bannedAt = next.banned ? sql<Date>`coalesce(banned_at, now())` : null
  const updated = await trx
    .updateTable('all_servers')
    .set({ ...next, banned_at: bannedAt, updated_at: sql<Date>`now()` })
    .where('public_id', '=', row.public_id)
    .returningAll()
    .executeTakeFirstOrThrow()
  const action = next.banned ? 'SERVER_BANNED' : 'SERVER_UNBANNED'
  await recordEvent(trx, { action, ...by, ownerId: row.owner_id, server: row, ...changed })
  if (!next.banned) await deleteRememberedBans(trx, row)
  return updated
}

/** Applies the ban of a deleted server to a locked one. Does nothing without a ban, or if the server is banned already. */
export async function applyRememberedBan(trx: Db, row: ServerRow, ban: RememberedBan | undefined): Promise<ServerRow> {
  return ban === undefined || row.banned ? row : setServerBan(trx, row, { banned: true, ...ban }, BY_SYSTEM)
}

/** Bans a server that its owner registered again and that announces from a banned server's address. */
function banServerAtBannedAddress(db: Db, publicId: string): Promise<void> {
  return transaction(db, async (trx) => {
    const [found] = await findServers(trx, [publicId])
    const row = found && (await lockServer(trx, found.owner_id, publicId))
    if (row !== undefined) await applyRememberedBan(trx, row, await findRememberedBanByAddress(trx, publicId, row.owner_id))
  })
}

/** Servers whose ban has expired, oldest first. */
async function listExpiredServerBans(db: Db, except: readonly string[]): Promise<string[]> {
  const expired = db.selectFrom('servers').select('public_id').where(isBanExpired)
  const rows = expired.where('public_id', '<>', allOf(except)).orderBy('banned_until').limit(MAX_EXPIRED_BANS)
  return (await rows.execute()).map((row) => row.public_id)
}

/** Does nothing if the ban was lifted or extended in the meantime. */
function liftExpiredServerBan(db: Db, publicId: string): Promise<void> {
  return transaction(db, async (trx) => {
    const expired = trx.selectFrom('servers').selectAll().where('public_id', '=', publicId).where(isBanExpired)
    const row = await expired.forUpdate().executeTakeFirst()
    if (row !== undefined) await setServerBan(trx, row, NO_BAN, BY_SYSTEM)
  })
}

/** Creates the job that lifts expired bans of users and servers, and bans servers that were registered again (app/jobs.ts). */
export function createBanJob(deps: Pick<Deps, 'db' | 'env' | 'clock' | 'log'>): () => Promise<void> {
  const { db, env } = deps
  const userRetries = new RetryLater(deps)
  const serverRetries = new RetryLater(deps)
  const messages = ['ban update failed, will retry', 'ban updated'] as const

  return async () => {
    for (const id of await listExpiredUserBans(db, userRetries.postponed))
      await userRetries.run(id, () => liftExpiredUserBan(db, id, env.ACCOUNT_DELETION_DELAY_HOURS), ...messages)
    for (const id of await listExpiredServerBans(db, serverRetries.postponed))
      await serverRetries.run(id, () => liftExpiredServerBan(db, id), ...messages)
    for (const id of await listServersAtBannedAddress(db, serverRetries.postponed))
      await serverRetries.run(id, () => banServerAtBannedAddress(db, id), ...messages)
    await deleteExpiredRememberedBans(db)
  }
}
