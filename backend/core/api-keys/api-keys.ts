/** The rules for API keys. The limit is counted while the user's row is locked. */
import { v7 as uuidv7 } from 'uuid'
import { sql } from 'kysely'
import { MAX_API_KEYS, type NewApiKey } from '#contract/users/api-keys.ts'
import { SCOPE_KEYS, type Scope } from '#contract/users/scopes.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { now } from '#backend/platform/database/sql.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import { isUuid } from '#backend/platform/database/uuid.ts'
import { forbidden, orNotFound, unauthorized } from '#backend/platform/errors.ts'
import type { Caller } from '#backend/platform/http/bind.ts'
import { type SecretText, hashSecret } from '#backend/platform/secret-text.ts'
import { BY_SYSTEM, bySelf, recordEvent } from '#backend/core/events/events.ts'
import { lockActor } from '#backend/core/users/users.ts'
import { isApiKey, newApiKey } from './api-key.ts'

/** Expired and revoked keys stay this long, so that a late call gets the reason, and a leak is recognized. */
const RETENTION_DAYS = 90

/** The scopes of the contract, in its order. A newer program may have stored others. */
export const parseScopes = (texts: readonly string[]): Scope[] => SCOPE_KEYS.filter((scope) => texts.includes(scope))

/** Creates a key. Throws `forbidden` if the user has 20 that work. The secret is available only now. */
export function createApiKey(db: Db, userId: string, input: NewApiKey): Promise<{ row: ApiKeyRow; key: SecretText }> {
  return transaction(db, async (trx) => {
    await lockActor(trx, userId, 'update')
    const keys = trx.selectFrom('api_keys').select('id').where('user_id', '=', userId).where('revoked_at', 'is', null)
    if ((await keys.where('expires_at', '>', now).execute()).length >= MAX_API_KEYS)
      throw forbidden('API_KEY_LIMIT_REACHED', { max: MAX_API_KEYS })
    const { prefix, key } = newApiKey()
    const scopes = parseScopes(input.scopes)
    const expires = sql<Date>`now() + make_interval(days => ${input.expires_in_days})`
    const values = { id: uuidv7(), user_id: userId, name: input.name, prefix, hash: key.hash, scopes, expires_at: expires }
    const row = await trx.insertInto('api_keys').values(values).returning(COLUMNS).executeTakeFirstOrThrow()
    const after = { name: row.name, prefix, scopes, expires_at: row.expires_at }
    await recordEvent(trx, { action: 'API_KEY_CREATED', ...bySelf(userId), after })
    return { row, key }
  })
}

/** Revokes a key. Throws `not-found` if the user has no such key. */
export function revokeApiKey(db: Db, userId: string, id: string): Promise<void> {
  return transaction(db, async (trx) => {
    await lockActor(trx, userId, 'share')
    const own = revoke(trx).where('user_id', '=', userId).where('id', '=', id)
    const row = orNotFound(isUuid(id) ? await own.executeTakeFirst() : undefined, 'API_KEY_NOT_FOUND')
    await recordEvent(trx, { action: 'API_KEY_REVOKED', ...bySelf(userId), before: { name: row.name, prefix: row.prefix } })
  })
}

/**
 * Revokes a key that was found in public, and tells its owner where.
 * @returns the id of the key if it worked until now, and whether Muster issued it.
 */
export function revokeLeakedApiKey(
  db: Db,
  text: string,
  place: Readonly<Record<string, string>>,
): Promise<{ isGenuine: boolean; revokedId?: string }> {
  return transaction(db, async (trx) => {
    const hash = hashSecret(text)
    const row = await revoke(trx).where('hash', '=', hash).where('expires_at', '>', now).executeTakeFirst()
    if (row === undefined) return { isGenuine: (await findApiKey(trx, hash)) !== undefined }
    const details = { name: row.name, prefix: row.prefix, ...place }
    await recordEvent(trx, { action: 'API_KEY_LEAKED', ...BY_SYSTEM, ownerId: row.user_id, after: details })
    return { isGenuine: true, revokedId: row.id }
  })
}

/** The caller's key in rate limits and streams. */
export const sessionKeyOf = (apiKeyId: string) => `api-key:${apiKeyId}`

/**
 * The user of a key. One query, so that a revocation counts at once on every node. A key never has the rights of an administrator.
 * Throws `unauthorized` if the key is unknown, expired or revoked.
 * @param recordsUse whether to store the time of use, at most once a minute.
 */
export async function callerOfKey(db: Db, text: string, recordsUse: boolean): Promise<Caller> {
  const row = isApiKey(text) ? await findApiKey(db, hashSecret(text)) : undefined
  if (row === undefined) throw unauthorized('API_KEY_UNKNOWN')
  if (row.revoked_at !== null) throw unauthorized('API_KEY_REVOKED')
  if (row.is_expired) throw unauthorized('API_KEY_EXPIRED')
  // While the database is read-only, reading still works.
  if (recordsUse && row.is_use_stale) await recordUse(db, row.id).catch(() => undefined)
  return {
    userId: row.user_id,
    isBanned: row.banned,
    isPendingDeletion: row.delete_at !== null,
    isAdmin: false,
    sessionKey: sessionKeyOf(row.id),
    apiKey: { name: row.name, scopes: row.scopes },
  }
}

export async function deleteOldApiKeys({ db }: { readonly db: Db }): Promise<void> {
  const isOld = sql<boolean>`coalesce(revoked_at, expires_at) < now() - make_interval(days => ${RETENTION_DAYS})`
  await db.deleteFrom('api_keys').where(isOld).execute()
}

const COLUMNS = ['id', 'user_id', 'name', 'prefix', 'scopes', 'created_at', 'last_used_at', 'expires_at'] as const

export type ApiKeyRow = Awaited<ReturnType<typeof listApiKeys>>[number]

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

/** Add which keys. Returns those that were not revoked yet. */
function revoke(trx: Db) {
  return trx.updateTable('api_keys').set({ revoked_at: now }).where('revoked_at', 'is', null).returning(COLUMNS)
}

/** The key with what access control needs of its user. */
function findApiKey(db: Db, hash: Buffer) {
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
async function recordUse(db: Db, id: string): Promise<void> {
  const unlocked = db.selectFrom('api_keys').select('id').where('id', '=', id).forUpdate().skipLocked()
  await db
    .updateTable('api_keys')
    .set({ last_used_at: sql<Date>`date_trunc('minute', now())` })
    .where('id', '=', unlocked)
    .execute()
}
