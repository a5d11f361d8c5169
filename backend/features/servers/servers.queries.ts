import { type UpdateObject, type Updateable, sql } from 'kysely'
import type { Db } from '#backend/platform/database/open.ts'
import type { Servers, Tables } from '#backend/platform/database/tables.ts'

export type ServerRow = Awaited<ReturnType<typeof listServersOf>>[number]

export function listServersOf(db: Db, ownerId: string) {
  return db.selectFrom('servers').selectAll().where('owner_id', '=', ownerId).orderBy('created_at').orderBy('public_id').execute()
}

export function listServersById(db: Db, publicIds: readonly string[]) {
  return db
    .selectFrom('servers')
    .selectAll()
    .where('public_id', '=', sql<string>`any(${publicIds}::text[])`)
    .execute()
}

/** The owner is part of the question: somebody else's server is no server. */
export function findServerOf(db: Db, ownerId: string, publicId: string) {
  return db.selectFrom('servers').selectAll().where('owner_id', '=', ownerId).where('public_id', '=', publicId).executeTakeFirst()
}

/** The servers that others let this person manage, each with what he may do; of one server only where `publicId` is given. */
export async function listManagedServers(db: Db, managerId: string, publicId?: string) {
  const all = db
    .selectFrom('servers')
    .innerJoin('managements', 'managements.owner_id', 'servers.owner_id')
    .selectAll('servers')
    .select('managements.permissions')
    .where('managements.manager_id', '=', managerId)
    .orderBy('managements.created_at')
    .orderBy('servers.owner_id')
    .orderBy('servers.created_at')
    .orderBy('servers.public_id')
  return (publicId === undefined ? all : all.where('servers.public_id', '=', publicId)).execute()
}

/** What the owner lets this person do, held so until the transaction ends; undefined where nothing. */
export async function lockPermissions(trx: Db, ownerId: string, managerId: string): Promise<readonly string[] | undefined> {
  const row = await trx
    .selectFrom('managements')
    .select('permissions')
    .where('owner_id', '=', ownerId)
    .where('manager_id', '=', managerId)
    .forShare()
    .executeTakeFirst()
  return row?.permissions
}

export function lockServerOf(trx: Db, ownerId: string, publicId: string) {
  return trx
    .selectFrom('servers')
    .selectAll()
    .where('owner_id', '=', ownerId)
    .where('public_id', '=', publicId)
    .forUpdate()
    .executeTakeFirst()
}

export async function lockServersOf(trx: Db, ownerId: string): Promise<string[]> {
  const rows = await trx
    .selectFrom('servers')
    .select('public_id')
    .where('owner_id', '=', ownerId)
    .orderBy('public_id')
    .forUpdate()
    .execute()
  return rows.map((row) => row.public_id)
}

/** How many servers this owner has, and whether he promotes one of them. */
export async function tallyServersOf(db: Db, ownerId: string): Promise<{ count: number; promotesOne: boolean }> {
  const { count, promotesOne } = await db
    .selectFrom('servers')
    .select((q) => q.fn.countAll<string>().as('count'))
    .select(sql<boolean>`coalesce(bool_or(promoted), false)`.as('promotesOne'))
    .where('owner_id', '=', ownerId)
    .executeTakeFirstOrThrow()
  return { count: Number(count), promotesOne }
}

type Fields = Updateable<Servers>

export function insertServer(db: Db, server: Fields & { public_id: string; owner_id: string; name: string; name_key: string }) {
  const hidden = server.visible === false ? { hidden_at: sql<Date>`now()` } : {}
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
    .set({ ...fields, ...hidden, updated_at: sql<Date>`now()` })
    .where('public_id', '=', publicId)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Takes promotion from the owner's other servers and answers which had it. */
export function clearPromotion(db: Db, ownerId: string, exceptPublicId: string) {
  return db
    .updateTable('servers')
    .set({ promoted: false, updated_at: sql<Date>`now()` })
    .where('owner_id', '=', ownerId)
    .where('promoted', '=', true)
    .where('public_id', '!=', exceptPublicId)
    .returning(['public_id', 'name'])
    .execute()
}

export async function deleteServer(trx: Db, publicId: string): Promise<void> {
  await trx.deleteFrom('servers').where('public_id', '=', publicId).execute()
}

/** One promoted server for each owner: the one that comes gives way. */
export async function moveServer(trx: Db, publicId: string, toUserId: string, iconImageId: string | null): Promise<void> {
  await trx
    .updateTable('servers')
    .set({
      owner_id: toUserId,
      group_id: null,
      icon_image_id: iconImageId,
      promoted: sql<boolean>`promoted and not exists (select from servers other where other.owner_id = ${toUserId}::uuid and other.promoted)`,
      updated_at: sql<Date>`now()`,
    })
    .where('public_id', '=', publicId)
    .execute()
}

export async function insertCredential(db: Db, credential: { id: string; publicId: string; hash: Buffer; hint: string }): Promise<void> {
  await db
    .insertInto('credentials')
    .values({ id: credential.id, server_id: credential.publicId, hash: credential.hash, hint: credential.hint })
    .execute()
}

/** Ends every credential of the server at once. */
export async function revokeCredentials(db: Db, publicId: string): Promise<void> {
  await db
    .updateTable('credentials')
    .set({ revoked_at: sql<Date>`now()` })
    .where('server_id', '=', publicId)
    .where('revoked_at', 'is', null)
    .execute()
}

/** Lets revoked credentials go of their server: they stay only so that a late announce is told "revoked". */
export async function dropCredentials(trx: Db, publicId: string): Promise<void> {
  await trx.updateTable('credentials').set({ server_id: null, hint: '' }).where('server_id', '=', publicId).execute()
}

/** Lets the current credential live on beside a newer one. One that was in its grace already ends: two work at a time, never three. */
export async function graceCurrentCredential(db: Db, publicId: string, graceSeconds: number): Promise<void> {
  await db
    .updateTable('credentials')
    .set({ revoked_at: sql<Date>`now()` })
    .where('server_id', '=', publicId)
    .where('revoked_at', 'is', null)
    .where('grace_until', 'is not', null)
    .execute()
  await db
    .updateTable('credentials')
    .set({ grace_until: sql<Date>`now() + make_interval(secs => ${graceSeconds})` })
    .where('server_id', '=', publicId)
    .where('revoked_at', 'is', null)
    .where('grace_until', 'is', null)
    .execute()
}

export type CredentialRow = Awaited<ReturnType<typeof listWorkingCredentials>>[number]

/** The credentials that work now, newest first: one for each server, more while grace runs. */
export function listWorkingCredentials(db: Db, publicIds: readonly string[]) {
  return db
    .selectFrom('credentials')
    .leftJoin('credential_uses', 'credential_uses.credential_id', 'credentials.id')
    .select(['credentials.id', 'credentials.hint', 'credentials.issued_at', 'credentials.grace_until', 'bound_at', 'last_used_at'])
    .select(sql<string | null>`host(credential_uses.bound_address)`.as('bound_address'))
    .select(sql<string>`credentials.server_id`.as('server_id'))
    .where('server_id', '=', sql<string>`any(${publicIds}::text[])`)
    .where('revoked_at', 'is', null)
    .where((q) => q.or([q('grace_until', 'is', null), q('grace_until', '>', sql<Date>`now()`)]))
    .orderBy(sql`grace_until is null`, 'desc')
    .orderBy('issued_at', 'desc')
    .execute()
}

/** Removes credentials that ended longer ago than `days`; an announce with one is then told that it was never issued. */
export async function deleteEndedCredentials(db: Db, days: number): Promise<void> {
  await db
    .deleteFrom('credentials')
    .where(sql<boolean>`coalesce(revoked_at, grace_until) < now() - make_interval(days => ${days})`)
    .execute()
}

const isBanOver = sql<boolean>`banned and banned_until <= now()`

/** So many at a time: the rest is the next look's. */
const ENDED_BANS = 100

/** Servers whose ban is over, the longest first. */
export async function listEndedServerBans(db: Db, except: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('servers')
    .select('public_id')
    .where(isBanOver)
    .where('public_id', '<>', sql<string>`all(${except}::text[])`)
    .orderBy('banned_until')
    .limit(ENDED_BANS)
    .execute()
  return rows.map((row) => row.public_id)
}

/** Holds a server whose ban is over; undefined where it is not any more. */
export function lockServerWithEndedBan(trx: Db, publicId: string) {
  return trx.selectFrom('servers').selectAll().where('public_id', '=', publicId).where(isBanOver).forUpdate().executeTakeFirst()
}
