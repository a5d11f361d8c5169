import { sql } from 'kysely'
import type { Db } from '#backend/platform/database/open.ts'
import { anyOf } from '#backend/platform/database/sql.ts'

/** Newest first. `age` is in seconds, by the database's clock, which all nodes share. */
export async function listKeys(db: Db) {
  const rows = await db
    .selectFrom('cloud_auth_keys')
    .select(['kid', 'public_jwk', 'private_jwk', sql<string>`extract(epoch from now() - created_at)`.as('age')])
    .orderBy('created_at', 'desc')
    .orderBy('kid')
    .execute()
  return rows.map((row) => ({ ...row, age: Number(row.age) }))
}

export async function insertKey(trx: Db, key: { kid: string; publicJwk: object; privateJwk: object }): Promise<void> {
  await trx
    .insertInto('cloud_auth_keys')
    .values({ kid: key.kid, public_jwk: JSON.stringify(key.publicJwk), private_jwk: JSON.stringify(key.privateJwk) })
    .execute()
}

export async function deleteKeys(trx: Db, kids: readonly string[]): Promise<void> {
  await trx.deleteFrom('cloud_auth_keys').where('kid', '=', anyOf(kids)).execute()
}

/** Stores this secret unless there already is one. Returns the stored one. */
export async function ensureSecret(db: Db, secret: Buffer): Promise<Buffer> {
  await db
    .insertInto('cloud_auth_secret')
    .values({ secret })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return (await db.selectFrom('cloud_auth_secret').select('secret').executeTakeFirstOrThrow()).secret
}
