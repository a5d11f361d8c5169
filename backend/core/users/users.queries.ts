import { type UpdateObject, sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { BenefitKey } from '#contract/benefits/benefits.ts'
import type { Db } from '#backend/platform/database/open.ts'
import type { Tables } from '#backend/platform/database/tables.ts'

const now = sql<Date>`now()`

export interface DiscordIdentity {
  readonly discordId: string
  readonly username: string
  readonly avatar: string | null
}

/** Creates the user at their first sign-in. Later sign-ins update the name and avatar from Discord; the id stays. */
export async function upsertUser(db: Db, { discordId, ...profile }: DiscordIdentity): Promise<{ id: string; isNew: boolean }> {
  const newId = uuidv7()
  const { id } = await db
    .insertInto('users')
    .values({ id: newId, discord_id: discordId, ...profile })
    .onConflict((conflict) => conflict.column('discord_id').doUpdateSet({ ...profile, signed_in_at: now, updated_at: now }))
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, isNew: id === newId }
}

export function listPublicUsers(db: Db, ids: readonly string[]) {
  return db
    .selectFrom('users')
    .select(['id', 'discord_id', 'username', 'avatar'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
}

/** Users with their granted benefits and their number of servers. */
export function listUserRows(db: Db, ids: readonly string[]) {
  return db
    .selectFrom('users as u')
    .selectAll('u')
    .select(sql<string[]>`array(select key from benefit_grants b where b.user_id = u.id)`.as('grants'))
    .select(sql<number>`(select count(*)::integer from servers s where s.owner_id = u.id)`.as('servers'))
    .where('u.id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
}

/** Discord names are unique. If two rows have the same name, the user who signed in last has it now. */
export function findUserByName(db: Db, username: string) {
  return db
    .selectFrom('users')
    .select(['id', 'discord_id', 'username', 'avatar'])
    .where(sql`lower(username)`, '=', sql`lower(${username})`)
    .orderBy('signed_in_at', 'desc')
    .limit(1)
    .executeTakeFirst()
}

export async function insertBenefitGrant(db: Db, userId: string, key: BenefitKey): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('benefit_grants')
    .values({ user_id: userId, key })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

export async function deleteBenefitGrant(db: Db, userId: string, key: BenefitKey): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('benefit_grants').where('user_id', '=', userId).where('key', '=', key).executeTakeFirst()
  return numDeletedRows === 1n
}

export function findUser(db: Db, column: 'id' | 'discord_id', value: string) {
  return db.selectFrom('users').selectAll().where(column, '=', value).executeTakeFirst()
}

/** Benefits granted to this user directly, without those of their tier. */
export async function listBenefitGrants(db: Db, userId: string): Promise<string[]> {
  const rows = await db.selectFrom('benefit_grants').select('key').where('user_id', '=', userId).orderBy('key').execute()
  return rows.map((row) => row.key)
}

/** Counts the other administrators who are neither banned nor awaiting deletion. */
export async function countOtherAdministrators(trx: Db, exceptId: string): Promise<number> {
  const { count } = await trx
    .selectFrom('benefit_grants')
    .innerJoin('users', 'users.id', 'benefit_grants.user_id')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('key', '=', 'ADMIN')
    .where('users.id', '!=', exceptId)
    .where('banned', '=', false)
    .where('delete_at', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

export function updateUser(db: Db, id: string, columns: UpdateObject<Tables, 'users'>) {
  return db
    .updateTable('users')
    .set({ ...columns, updated_at: now })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** False if the deletion is already due. */
export async function clearDeletion(trx: Db, id: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('users')
    .set({ delete_at: null, updated_at: now })
    .where('id', '=', id)
    .where('delete_at', '>', now)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** The manager grants that this user gave or received, oldest first. */
export function listManagerGrantsOf(db: Db, userId: string) {
  return db
    .selectFrom('manager_grants')
    .selectAll()
    .where((q) => q.or([q('owner_id', '=', userId), q('manager_id', '=', userId)]))
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

const isBanExpired = sql<boolean>`banned and banned_until <= now()`

const MAX_EXPIRED_BANS = 100

/** Users whose ban has expired, oldest first. */
export async function listExpiredUserBans(db: Db, except: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where(isBanExpired)
    .where('id', '<>', sql<string>`all(${except}::uuid[])`)
    .orderBy('banned_until')
    .limit(MAX_EXPIRED_BANS)
    .execute()
  return rows.map((row) => row.id)
}

/** Undefined if the ban was lifted or extended in the meantime. */
export function lockUserWithExpiredBan(trx: Db, id: string) {
  return trx.selectFrom('users').selectAll().where('id', '=', id).where(isBanExpired).forUpdate().executeTakeFirst()
}
