/** A user's sessions as they see them: the list, and signing them out. */
import { sql } from 'kysely'
import type { Session } from '#contract/users/sessions.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import { isUuid } from '#backend/platform/database/uuid.ts'
import { orNotFound } from '#backend/platform/errors.ts'
import type { Caller } from '#backend/platform/http/bind.ts'
import { bySelf, recordEvent } from '#backend/core/events/events.ts'
import { lockActor } from '#backend/core/users/users.ts'
import { sessionKeyOf } from './auth.ts'

const isLive = sql<boolean>`expires_at > now()`

type SessionCaller = Pick<Caller, 'userId' | 'sessionKey'>

/** The current session first, then the last used first. */
export async function listSessions(db: Db, { userId, sessionKey }: SessionCaller): Promise<Session[]> {
  const rows = await db
    .selectFrom('sessions')
    .select(['id', 'id_hash', 'created_at', 'last_seen_at', 'browser', 'os', 'masked_address as address'])
    .where('user_id', '=', userId)
    .where(isLive)
    .orderBy('last_seen_at', 'desc')
    .orderBy('id')
    .execute()
  const sessions = rows.map(({ id_hash: idHash, ...row }) => ({
    ...row,
    created_at: row.created_at.toISOString(),
    last_seen_at: row.last_seen_at.toISOString(),
    current: sessionKeyOf(idHash) === sessionKey,
  }))
  return sessions.toSorted((a, b) => Number(b.current) - Number(a.current))
}

/** Ends one of the user's sessions and returns its key. Throws `not-found` if they have no such session. */
export function endSessionById(db: Db, userId: string, id: string): Promise<string> {
  return transaction(db, async (trx) => {
    await lockActor(trx, userId, 'share')
    const own = trx.deleteFrom('sessions').where('user_id', '=', userId).where('id', '=', id).where(isLive)
    const ended = isUuid(id) ? await own.returning(['id_hash', 'browser', 'os']).executeTakeFirst() : undefined
    const { id_hash: idHash, browser, os } = orNotFound(ended, 'SESSION_NOT_FOUND')
    await recordEvent(trx, { action: 'SESSION_ENDED', ...bySelf(userId), before: { browser, os } })
    return sessionKeyOf(idHash)
  })
}

/** Ends all sessions of the caller except the current one, and returns their keys. */
export function endOtherSessions(db: Db, { userId, sessionKey }: SessionCaller): Promise<string[]> {
  return transaction(db, async (trx) => {
    await lockActor(trx, userId, 'share')
    const others = trx.deleteFrom('sessions').where('user_id', '=', userId).where('id_hash', '<>', Buffer.from(sessionKey, 'base64'))
    const ended = await others.where(isLive).returning('id_hash').execute()
    if (ended.length > 0) await recordEvent(trx, { action: 'SESSIONS_ENDED', ...bySelf(userId), before: { sessions: ended.length } })
    return ended.map((row) => sessionKeyOf(row.id_hash))
  })
}
