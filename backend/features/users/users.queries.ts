import { sql } from 'kysely'
import type { BenefitKey } from '#contract/benefits.ts'
import type { Db } from '#backend/database/open.ts'

/** Makes the user at his first sign-in; afterwards his name and picture follow Discord. The id stays. */
export async function upsertUser(
  db: Db,
  user: { id: string; discordId: string; username: string; avatar: string | null },
): Promise<string> {
  const row = await db
    .insertInto('users')
    .values({ id: user.id, discord_id: user.discordId, username: user.username, avatar: user.avatar })
    .onConflict((conflict) =>
      conflict.column('discord_id').doUpdateSet({
        username: user.username,
        avatar: user.avatar,
        updated_at: sql<Date>`now()`,
      }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

export async function insertGrant(db: Db, userId: string, key: BenefitKey): Promise<void> {
  await db
    .insertInto('benefit_grants')
    .values({ user_id: userId, key })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function deleteGrant(db: Db, userId: string, key: BenefitKey): Promise<void> {
  await db.deleteFrom('benefit_grants').where('user_id', '=', userId).where('key', '=', key).execute()
}

export function findUser(db: Db, id: string) {
  return db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()
}

export function findUserByDiscordId(db: Db, discordId: string) {
  return db.selectFrom('users').selectAll().where('discord_id', '=', discordId).executeTakeFirst()
}

export function listGrants(db: Db, userId: string) {
  return db.selectFrom('benefit_grants').select('key').where('user_id', '=', userId).orderBy('key').execute()
}

/** Holds the user's row until the transaction ends: `for update` where a limit is counted, `for share` where he only must stay as he is. */
export function lockUser(trx: Db, id: string, how: 'update' | 'share') {
  const query = trx.selectFrom('users').selectAll().where('id', '=', id)
  return (how === 'update' ? query.forUpdate() : query.forShare()).executeTakeFirst()
}

export async function updateLimits(db: Db, id: string, limits: { max_servers?: number | null }): Promise<void> {
  await db
    .updateTable('users')
    .set({ ...limits, updated_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute()
}
