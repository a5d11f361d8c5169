import { sql } from 'kysely'
import type { Db } from '#backend/platform/database/open.ts'

export async function insertSession(db: Db, session: { idHash: Buffer; userId: string; expiresAt: Date }): Promise<void> {
  await db.insertInto('sessions').values({ id_hash: session.idHash, user_id: session.userId, expires_at: session.expiresAt }).execute()
}

/** The session's user, as far as access goes; undefined where the session is unknown or over. */
export function findCaller(db: Db, idHash: Buffer) {
  return db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['users.id as user_id', 'users.banned', 'users.delete_at', 'sessions.last_used_at'])
    .select((q) =>
      q
        .exists(
          q
            .selectFrom('benefit_grants')
            .whereRef('benefit_grants.user_id', '=', 'users.id')
            .where('key', '=', 'ADMIN')
            .select(sql`1`.as('one')),
        )
        .as('is_admin'),
    )
    .where('sessions.id_hash', '=', idHash)
    .where('sessions.expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
}

export async function extendSession(db: Db, idHash: Buffer, expiresAt: Date): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ last_used_at: sql<Date>`now()`, expires_at: expiresAt })
    .where('id_hash', '=', idHash)
    .execute()
}

export async function deleteSession(db: Db, idHash: Buffer): Promise<void> {
  await db.deleteFrom('sessions').where('id_hash', '=', idHash).execute()
}

/** False where this state was used before. */
export async function insertUsedState(db: Db, stateHash: Buffer, expiresAt: Date): Promise<boolean> {
  const rows = await db
    .insertInto('used_sign_in_states')
    .values({ state_hash: stateHash, expires_at: expiresAt })
    .onConflict((conflict) => conflict.doNothing())
    .returning('state_hash')
    .execute()
  return rows.length === 1
}

export async function deleteExpired(db: Db): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where('expires_at', '<=', sql<Date>`now()`)
    .execute()
  await db
    .deleteFrom('used_sign_in_states')
    .where('expires_at', '<=', sql<Date>`now()`)
    .execute()
}
