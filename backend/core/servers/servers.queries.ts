import { type UpdateObject, type Updateable, sql } from 'kysely'
import { BENEFIT_FIELDS } from '#contract/servers/server-field-shapes.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { anyOf, now } from '#backend/platform/database/sql.ts'
import type { Servers, Tables } from '#backend/platform/database/tables.ts'

export type ServerRow = Awaited<ReturnType<typeof listServers>>[number]

export function listServers(db: Db, ownerId: string) {
  return db.selectFrom('servers').selectAll().where('owner_id', '=', ownerId).orderBy('created_at').orderBy('public_id').execute()
}

export function findServers(db: Db, publicIds: readonly string[]) {
  return db.selectFrom('servers').selectAll().where('public_id', '=', anyOf(publicIds)).execute()
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
    .where('s.public_id', '=', anyOf(publicIds))
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
