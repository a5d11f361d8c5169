/** User bans, and the rules that they share with server bans. */
import { sql } from 'kysely'
import type { Db } from '#backend/platform/database/open.ts'
import { allOf } from '#backend/platform/database/sql.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import { invalid } from '#backend/platform/errors.ts'
import { BY_SYSTEM, type EventActor, byAdministrator, diff, recordEvent } from '#backend/core/events/events.ts'
import { lockUserForAdmin, ensureAdministratorRemains } from './administration.ts'
import { type UserRow, updateUser } from './users.ts'

export type Ban = Pick<UserRow, 'banned' | 'ban_reason' | 'banned_until'>
export const NO_BAN: Ban = { banned: false, ban_reason: null, banned_until: null }

export interface BanRequest {
  readonly banned: boolean
  readonly reason?: string | undefined
  readonly banned_until?: string | null | undefined
}

/** The ban after a request. A reason or end that isn't given stays as it is. Throws `invalid` for an end in the past. */
export async function nextBan(trx: Db, current: Ban, { banned, reason, banned_until: until }: BanRequest): Promise<Ban> {
  if (!banned) return NO_BAN
  const nextReason = reason ?? current.ban_reason ?? ''
  const end = typeof until === 'string' ? await parseFutureTime(trx, until) : until
  return { banned, ban_reason: nextReason === '' ? null : nextReason, banned_until: end === undefined ? current.banned_until : end }
}

/** Compares with the database's clock, which also decides when the ban is lifted. */
async function parseFutureTime(trx: Db, time: string): Promise<Date> {
  const { rows } = await sql<{ isFuture: boolean }>`select ${time}::timestamptz > now() as "isFuture"`.execute(trx)
  if (rows[0]?.isFuture !== true) throw invalid('BAN_END_IN_PAST').inField('banned_until')
  return new Date(time)
}

/** Bans a user, or lifts a ban. Once a ban commits, nothing that the user started can commit. */
export function changeUserBan(db: Db, adminId: string, userId: string, request: BanRequest, deletionDelayHours: number): Promise<void> {
  return transaction(db, async (trx) => {
    if (request.banned) await ensureAdministratorRemains(trx, adminId, userId, 'LAST_ADMINISTRATOR_BAN')
    const user = await lockUserForAdmin(trx, adminId, userId)
    await setUserBan(trx, user, await nextBan(trx, user, request), byAdministrator(adminId), deletionDelayHours)
  })
}

/** A ban suspends an erasure (account/erasure.ts). Lifting it restarts the delay of an overdue erasure, so that the user isn't erased at once. */
async function setUserBan(trx: Db, user: UserRow, next: Ban, by: EventActor, deletionDelayHours: number): Promise<void> {
  const changed = diff(user, next)
  if (changed === undefined) return
  const fullDelay = sql<Date>`now() + make_interval(secs => ${deletionDelayHours * 3600})`
  const { delete_at } = await updateUser(trx, user.id, {
    ...next,
    banned_at: next.banned ? sql<Date>`coalesce(banned_at, now())` : null,
    ...(!next.banned && { delete_at: sql<Date>`case when delete_at <= now() then ${fullDelay} else delete_at end` }),
  })
  const deletionChange = diff(user, { delete_at })
  await recordEvent(trx, {
    action: next.banned ? 'ACCOUNT_BANNED' : 'ACCOUNT_UNBANNED',
    ...by,
    ownerId: user.id,
    before: { ...changed.before, ...deletionChange?.before },
    after: { ...changed.after, ...deletionChange?.after },
  })
}

/** On users and on servers. */
export const isBanExpired = sql<boolean>`banned and banned_until <= now()`

export const MAX_EXPIRED_BANS = 100

/** Users whose ban has expired, oldest first. */
export async function listExpiredUserBans(db: Db, except: readonly string[]): Promise<string[]> {
  const expired = db.selectFrom('users').select('id').where(isBanExpired)
  const rows = expired.where('id', '<>', allOf(except)).orderBy('banned_until').limit(MAX_EXPIRED_BANS)
  return (await rows.execute()).map((row) => row.id)
}

/** For the job in servers/bans.ts. Does nothing if the ban was lifted or extended in the meantime. */
export function liftExpiredUserBan(db: Db, userId: string, deletionDelayHours: number): Promise<void> {
  return transaction(db, async (trx) => {
    const user = await trx.selectFrom('users').selectAll().where('id', '=', userId).where(isBanExpired).forUpdate().executeTakeFirst()
    if (user !== undefined) await setUserBan(trx, user, NO_BAN, BY_SYSTEM, deletionDelayHours)
  })
}
