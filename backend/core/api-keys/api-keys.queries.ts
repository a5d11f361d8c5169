import { type Insertable, sql } from 'kysely'
import type { Db } from '#backend/platform/database/open.ts'
import type { Tables } from '#backend/platform/database/tables.ts'

const now = sql<Date>`now()`
const COLUMNS = ['id', 'user_id', 'name', 'prefix', 'scopes', 'created_at', 'last_used_at', 'expires_at'] as const

export type ApiKeyRow = Awaited<ReturnType<typeof insertApiKey>>

/** The user's keys that are not revoked, oldest first. */
export function listApiKeys(db: Db, userId: string) {
  return db
    .selectFrom('api_keys')
    .select(COLUMNS)
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** How many of the user's keys are neither expired nor revoked. */
export async function countLiveApiKeys(trx: Db, userId: string): Promise<number> {
  const { count } = await trx
    .selectFrom('api_keys')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow()
  return count
}

export function insertApiKey(trx: Db, key: Omit<Insertable<Tables['api_keys']>, 'expires_at'>, days: number) {
  return trx
    .insertInto('api_keys')
    .values({ ...key, expires_at: sql<Date>`now() + make_interval(days => ${days})` })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
}

/** Undefined if this user has no such key, or it is already revoked. */
export function revokeApiKeyById(trx: Db, userId: string, id: string) {
  return trx
    .updateTable('api_keys')
    .set({ revoked_at: now })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .returning(COLUMNS)
    .executeTakeFirst()
}

/** Undefined if this key does not work any more. */
export function revokeLiveApiKey(trx: Db, hash: Buffer) {
  return trx
    .updateTable('api_keys')
    .set({ revoked_at: now })
    .where('hash', '=', hash)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .returning(COLUMNS)
    .executeTakeFirst()
}

export async function existsApiKey(db: Db, hash: Buffer): Promise<boolean> {
  return (await db.selectFrom('api_keys').select('id').where('hash', '=', hash).executeTakeFirst()) !== undefined
}

/** The key with what access control needs of its user. */
export function findApiKey(db: Db, hash: Buffer) {
  return db
    .selectFrom('api_keys')
    .innerJoin('users', 'users.id', 'api_keys.user_id')
    .select(['api_keys.id', 'api_keys.user_id', 'api_keys.name', 'api_keys.scopes', 'revoked_at', 'users.banned', 'users.delete_at'])
    .select(sql<boolean>`api_keys.expires_at <= now()`.as('is_expired'))
    .select(sql<boolean>`coalesce(api_keys.last_used_at < now() - interval '1 minute', true)`.as('is_use_stale'))
    .where('hash', '=', hash)
    .executeTakeFirst()
}

/** Does nothing if the row is locked, so that concurrent calls don't wait for each other. */
export async function recordUse(db: Db, id: string): Promise<void> {
  const unlocked = db.selectFrom('api_keys').select('id').where('id', '=', id).forUpdate().skipLocked()
  await db
    .updateTable('api_keys')
    .set({ last_used_at: sql<Date>`date_trunc('minute', now())` })
    .where('id', '=', unlocked)
    .execute()
}

export async function deleteEndedApiKeys(db: Db, days: number): Promise<void> {
  const isOld = sql<boolean>`coalesce(revoked_at, expires_at) < now() - make_interval(days => ${days})`
  await db.deleteFrom('api_keys').where(isOld).execute()
}
