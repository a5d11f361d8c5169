import { type Insertable, sql } from 'kysely'
import type { Db } from '#backend/platform/database/open.ts'
import type { Tables } from '#backend/platform/database/tables.ts'

const now = sql<Date>`now()`

export async function insertSession(trx: Db, session: Insertable<Tables['sessions']>): Promise<void> {
  await trx.insertInto('sessions').values(session).execute()
}

/** The session's user with what access control needs; undefined if the session is unknown or expired. */
export function findCaller(db: Db, idHash: Buffer) {
  return db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['users.id as user_id', 'users.banned', 'users.delete_at', 'sessions.last_used_at'])
    .select(sql<boolean>`exists (select from benefit_grants g where g.user_id = users.id and g.key = 'ADMIN')`.as('is_admin'))
    .where('sessions.id_hash', '=', idHash)
    .where('sessions.expires_at', '>', now)
    .executeTakeFirst()
}

export async function extendSession(db: Db, idHash: Buffer, expiresAt: Date): Promise<void> {
  await db.updateTable('sessions').set({ last_used_at: now, expires_at: expiresAt }).where('id_hash', '=', idHash).execute()
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
