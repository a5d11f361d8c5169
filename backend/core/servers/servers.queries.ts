import { type UpdateObject, type Updateable, sql } from 'kysely'
import { BIN_DAYS } from '#contract/servers/bin-days.ts'
import { BENEFIT_FIELDS } from '#contract/servers/server-field-shapes.ts'
import type { Db } from '#backend/platform/database/open.ts'
import type { Servers, Tables } from '#backend/platform/database/tables.ts'
import type { Ban } from '#backend/core/users/bans.ts'

const now = sql<Date>`now()`

export type ServerRow = Awaited<ReturnType<typeof listServers>>[number]

export function listServers(db: Db, ownerId: string) {
  return db.selectFrom('servers').selectAll().where('owner_id', '=', ownerId).orderBy('created_at').orderBy('public_id').execute()
}

export function findServers(db: Db, publicIds: readonly string[]) {
  return db
    .selectFrom('servers')
    .selectAll()
    .where('public_id', '=', sql<string>`any(${publicIds}::text[])`)
    .execute()
}

/** Undefined for another user's server, as if it didn't exist. */
export function findServer(db: Db, ownerId: string, publicId: string) {
  return db.selectFrom('servers').selectAll().where('owner_id', '=', ownerId).where('public_id', '=', publicId).executeTakeFirst()
}

/** The servers that this user manages for others, with their permissions. If `publicId` is given, only that server. */
export async function listManagedServers(db: Db, managerId: string, publicId?: string) {
  const all = db
    .selectFrom('servers')
    .innerJoin('manager_grants', 'manager_grants.owner_id', 'servers.owner_id')
    .selectAll('servers')
    .select('manager_grants.permissions')
    .where('manager_grants.manager_id', '=', managerId)
    .orderBy('manager_grants.created_at')
    .orderBy('servers.owner_id')
    .orderBy('servers.created_at')
    .orderBy('servers.public_id')
  return (publicId === undefined ? all : all.where('servers.public_id', '=', publicId)).execute()
}

/** Includes deleted servers. */
export async function findOwnerId(db: Db, publicId: string): Promise<string | undefined> {
  return (await db.selectFrom('all_servers').select('owner_id').where('public_id', '=', publicId).executeTakeFirst())?.owner_id
}

/** Sets or lifts the ban of a locked server, which may be deleted. */
export function updateBan(trx: Db, publicId: string, ban: Ban): Promise<ServerRow> {
  return trx
    .updateTable('all_servers')
    .set({ ...ban, banned_at: ban.banned ? sql<Date>`coalesce(banned_at, now())` : null, updated_at: now })
    .where('public_id', '=', publicId)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export function tallyServers(db: Db, ownerId: string): Promise<{ count: number; hasPromoted: boolean }> {
  return db
    .selectFrom('servers')
    .select([sql<number>`count(*)::integer`.as('count'), sql<boolean>`coalesce(bool_or(promoted), false)`.as('hasPromoted')])
    .where('owner_id', '=', ownerId)
    .executeTakeFirstOrThrow()
}

/** The fields of servers that need a benefit, with their owners' tiers and granted benefits. */
export function listAppearances(db: Db, publicIds: readonly string[]) {
  return db
    .selectFrom('servers as s')
    .innerJoin('users as u', 'u.id', 's.owner_id')
    .leftJoin('images as i', 'i.id', 's.icon_image_id')
    .leftJoin('server_groups as g', 'g.id', 's.group_id')
    .select(['s.public_id', 'u.owned_tier', 'u.forced_tier', ...BENEFIT_FIELDS.map((field) => `s.${field}` as const)])
    .select(['i.file as icon_file', 'g.name as group_name'])
    .select(sql<string[]>`array(select key from benefit_grants b where b.user_id = u.id)`.as('grants'))
    .where('s.public_id', '=', sql<string>`any(${publicIds}::text[])`)
    .execute()
}

type Fields = Updateable<Servers>

export function insertServer(db: Db, server: Fields & { public_id: string; owner_id: string; name: string; name_key: string }) {
  const hidden = server.visible === false ? { hidden_at: now } : {}
  return db
    .insertInto('servers')
    .values({ ...server, ...hidden })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export function updateServer(db: Db, publicId: string, fields: UpdateObject<Tables, 'servers'>) {
  const { visible } = fields
  const hidden = visible === undefined ? {} : { hidden_at: visible === true ? null : sql<Date>`coalesce(hidden_at, now())` }
  return db
    .updateTable('servers')
    .set({ ...fields, ...hidden, updated_at: now })
    .where('public_id', '=', publicId)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Clears promotion on the owner's other servers and returns those that had it. */
export function clearPromotion(db: Db, ownerId: string, exceptPublicId: string) {
  return db
    .updateTable('servers')
    .set({ promoted: false, updated_at: now })
    .where('owner_id', '=', ownerId)
    .where('promoted', '=', true)
    .where('public_id', '!=', exceptPublicId)
    .returning(['public_id', 'name'])
    .execute()
}

/** Moves a server to the bin. Its name stays taken; a trigger releases its vanity ID. */
export async function moveToBin(trx: Db, publicId: string): Promise<void> {
  // A server that was restored and is deleted again keeps its first date, so its name isn't held longer.
  const deletedAt = sql<Date>`case when last_deleted_at > now() - make_interval(days => ${BIN_DAYS}) then last_deleted_at else now() end`
  await trx.updateTable('all_servers').set({ deleted_at: deletedAt }).where('public_id', '=', publicId).execute()
}

/** Moves a server to a new owner. It loses its promotion if the new owner already promotes another, because only one is allowed. */
export async function moveServer(trx: Db, publicId: string, toUserId: string, iconImageId: string | null): Promise<void> {
  await trx
    .updateTable('servers')
    .set({
      owner_id: toUserId,
      group_id: null,
      icon_image_id: iconImageId,
      promoted: sql<boolean>`promoted and not exists (select from servers other where other.owner_id = ${toUserId}::uuid and other.promoted)`,
      updated_at: now,
    })
    .where('public_id', '=', publicId)
    .execute()
}

const isBanExpired = sql<boolean>`banned and banned_until <= now()`

const MAX_EXPIRED_BANS = 100

/** Servers whose ban has expired, oldest first. */
export async function listExpiredServerBans(db: Db, except: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('servers')
    .select('public_id')
    .where(isBanExpired)
    .where('public_id', '<>', sql<string>`all(${except}::text[])`)
    .orderBy('banned_until')
    .limit(MAX_EXPIRED_BANS)
    .execute()
  return rows.map((row) => row.public_id)
}

/** Undefined if the ban was lifted or extended in the meantime. */
export function lockServerWithExpiredBan(trx: Db, publicId: string) {
  return trx.selectFrom('servers').selectAll().where('public_id', '=', publicId).where(isBanExpired).forUpdate().executeTakeFirst()
}
