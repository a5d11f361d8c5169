import { type Insertable, sql } from 'kysely'
import type { Db } from '#backend/platform/database/open.ts'
import type { Tables } from '#backend/platform/database/tables.ts'
import type { ClientDetails } from './client-details.ts'

const now = sql<Date>`now()`

export async function insertSession(trx: Db, session: Insertable<Tables['sessions']>): Promise<void> {
  await trx.insertInto('sessions').values(session).execute()
}

/** The session's user with what access control needs; undefined if the session is unknown or expired. */
export function findCaller(db: Db, idHash: Buffer) {
  return db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['users.id as user_id', 'users.banned', 'users.delete_at', 'sessions.last_used_at', 'sessions.last_seen_at'])
    .select(sql<boolean>`exists (select from benefit_grants g where g.user_id = users.id and g.key = 'ADMIN')`.as('is_admin'))
    .where('sessions.id_hash', '=', idHash)
    .where('sessions.expires_at', '>', now)
    .executeTakeFirst()
}

export async function extendSession(db: Db, idHash: Buffer, expiresAt: Date): Promise<void> {
  await db.updateTable('sessions').set({ last_used_at: now, expires_at: expiresAt }).where('id_hash', '=', idHash).execute()
}

/** Does nothing if a concurrent call already did, and does not wait for one that is doing it. */
export async function markSessionSeen(db: Db, idHash: Buffer, seenAt: Date, unlessSince: Date, client: ClientDetails): Promise<void> {
  const stale = db
    .selectFrom('sessions')
    .select('id_hash')
    .where('id_hash', '=', idHash)
    .where('last_seen_at', '<', unlessSince)
    .forUpdate()
    .skipLocked()
  await db
    .updateTable('sessions')
    .set({ last_seen_at: seenAt, ...client })
    .where('id_hash', '=', stale)
    .execute()
}

/** The user's sessions, last used first. */
export function listSessionsOf(db: Db, userId: string) {
  return db
    .selectFrom('sessions')
    .select(['id', 'id_hash', 'created_at', 'last_seen_at', 'browser', 'os', 'masked_address'])
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .orderBy('last_seen_at', 'desc')
    .orderBy('id')
    .execute()
}

/** Undefined if the user has no such session. */
export function deleteSessionOf(trx: Db, userId: string, id: string) {
  return trx
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where('expires_at', '>', now)
    .returning(['id_hash', 'browser', 'os'])
    .executeTakeFirst()
}

export function deleteOtherSessionsOf(trx: Db, userId: string, currentHash: Buffer) {
  return trx
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('id_hash', '<>', currentHash)
    .where('expires_at', '>', now)
    .returning('id_hash')
    .execute()
}

export async function deleteSession(db: Db, idHash: Buffer): Promise<void> {
  await db.deleteFrom('sessions').where('id_hash', '=', idHash).execute()
}

/** False if this state was already used. */
export async function insertUsedState(db: Db, stateHash: Buffer, expiresAt: Date): Promise<boolean> {
  const rows = await db
    .insertInto('used_sign_in_states')
    .values({ state_hash: stateHash, expires_at: expiresAt })
    .onConflict((conflict) => conflict.doNothing())
    .returning('state_hash')
    .execute()
  return rows.length === 1
}

/** Deletes expired sessions and expired used states. */
export async function deleteExpiredSignIns(db: Db): Promise<void> {
  const isOver = sql<boolean>`expires_at <= now()`
  await db.deleteFrom('sessions').where(isOver).execute()
  await db.deleteFrom('used_sign_in_states').where(isOver).execute()
}
