/**
 * Every lock that spans statements, in the order in which a transaction takes them, so that two transactions never deadlock.
 * Of several rows of a table, the lowest key locks first. Statements that lock many rows at once (saving live states, sending webhooks)
 * do the same within themselves: a live state before its server, a credential before its use.
 * A transaction that deadlocks nevertheless is retried (transaction.ts).
 */
import { type Selectable, sql } from 'kysely'
import type { Db } from './open.ts'
import { anyOf } from './sql.ts'
import type { Tables } from './tables.ts'

// 1. Names without a row.

/** Serializes what is decided about one identity of a provider: its first sign-in, and whose it is. */
export async function lockIdentity(trx: Db, issuer: string, subject: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`muster identity ${issuer} ${subject}`}, 0))`.execute(trx)
}

/** Serializes calls that count the remaining administrators. */
export async function lockAdministrators(trx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('muster administrators'))`.execute(trx)
}

/** Serializes concurrent deliveries about one membership. */
export async function lockMember(trx: Db, provider: string, memberId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`muster member ${provider} ${memberId}`}, 0))`.execute(trx)
}

/**
 * Locks a Discord account's memberships, whether or not it has an account here. So a delivery and a concurrent first sign-in can't miss
 * each other.
 */
export async function lockSupporter(trx: Db, discordId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`muster supporter ${discordId}`}, 0))`.execute(trx)
}

/** Serializes the rotation of the keys that sign tickets. */
export async function lockCloudAuthKeys(trx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('muster cloud auth keys'))`.execute(trx)
}

// 2. Users.

/** `update`: to change the user or count against their limits. `share`: only to keep the user unchanged. */
export type LockMode = 'update' | 'share'

type UserRow = Selectable<Tables['users']>

/** Returns those that exist, by ID. @param modes how to lock each, by ID. */
export async function lockUsers(trx: Db, modes: Readonly<Record<string, LockMode>>): Promise<ReadonlyMap<string, UserRow>> {
  const found = new Map<string, UserRow>()
  for (const [id, mode] of Object.entries(modes).toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    const query = trx.selectFrom('users').selectAll().where('id', '=', id)
    const user = await (mode === 'update' ? query.forUpdate() : query.forShare()).executeTakeFirst()
    if (user !== undefined) found.set(id, user)
  }
  return found
}

// 3. What users hold: grants, groups, webhooks.

const grantOf = (trx: Db, ownerId: string, managerId: string) =>
  trx.selectFrom('manager_grants').selectAll().where('owner_id', '=', ownerId).where('manager_id', '=', managerId)

/** Locks the grant itself, because its manager may resign without locking the owner. */
export const lockManagerGrant = (trx: Db, ownerId: string, managerId: string) =>
  grantOf(trx, ownerId, managerId).forUpdate().executeTakeFirst()

/** The permissions of a manager, who keeps them until the transaction ends. Undefined without a grant. */
export async function lockPermissions(trx: Db, ownerId: string, managerId: string): Promise<readonly string[] | undefined> {
  return (await grantOf(trx, ownerId, managerId).forShare().executeTakeFirst())?.permissions
}

const groupOf = (trx: Db, ownerId: string, id: string) =>
  trx.selectFrom('server_groups').selectAll().where('owner_id', '=', ownerId).where('id', '=', id)

/** Locks one of the owner's groups against deletion. */
export const lockGroupForShare = (trx: Db, ownerId: string, id: string) => groupOf(trx, ownerId, id).forKeyShare().executeTakeFirst()

/** Locks one of the owner's groups against any change. */
export const lockGroupForUpdate = (trx: Db, ownerId: string, id: string) => groupOf(trx, ownerId, id).forUpdate().executeTakeFirst()

/** New deliveries can be written meanwhile. @param ownerId null for the operator's webhook. */
export function lockWebhook(trx: Db, ownerId: string | null, id: string) {
  const webhooks = trx.selectFrom('webhooks').selectAll()
  return webhooks.where('owner_id', 'is not distinct from', ownerId).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
}

// 4. Live states, then servers, then credentials: the order of the list's writers.

const serverIdsOf = (ownerId: string) => sql`(select public_id from all_servers where owner_id = ${ownerId})`

export async function lockPresenceOf(trx: Db, ownerId: string): Promise<void> {
  await sql`select from presence where server_id in ${serverIdsOf(ownerId)} order by server_id for update`.execute(trx)
}

export function lockServer(trx: Db, ownerId: string, publicId: string) {
  const servers = trx.selectFrom('servers').selectAll()
  return servers.where('owner_id', '=', ownerId).where('public_id', '=', publicId).forUpdate().executeTakeFirst()
}

/** Also locks a deleted server, which has `deleted_at`. */
export function lockServerOrDeleted(trx: Db, ownerId: string, publicId: string) {
  const servers = trx.selectFrom('all_servers').selectAll()
  return servers.where('owner_id', '=', ownerId).where('public_id', '=', publicId).forUpdate().executeTakeFirst()
}

/** Locks a server against deletion and transfer. */
export function lockServerForShare(trx: Db, publicId: string) {
  return trx.selectFrom('servers').select('owner_id').where('public_id', '=', publicId).forShare().executeTakeFirst()
}

/** Locks an owner's servers against deletion: those in `among`, or all. Returns their IDs. */
export async function lockOwnServers(trx: Db, ownerId: string, among?: readonly string[]): Promise<string[]> {
  const own = trx.selectFrom('servers').select('public_id').where('owner_id', '=', ownerId)
  const chosen = among === undefined ? own : own.where('public_id', '=', anyOf(among))
  return (await chosen.orderBy('public_id').forKeyShare().execute()).map((row) => row.public_id)
}

/** Includes deleted servers. */
export async function lockServersOf(trx: Db, ownerId: string): Promise<string[]> {
  const servers = trx.selectFrom('all_servers').select('public_id').where('owner_id', '=', ownerId)
  return (await servers.orderBy('public_id').forUpdate().execute()).map((row) => row.public_id)
}

/** Locks the servers of a group, and returns their IDs. */
export async function lockServersIn(trx: Db, groupId: string): Promise<string[]> {
  const servers = trx.selectFrom('servers').select('public_id').where('group_id', '=', groupId)
  return (await servers.orderBy('public_id').forNoKeyUpdate().execute()).map((row) => row.public_id)
}

/** Locks servers against deletion and transfer, and serializes findings about each. */
export function lockServersForFindings(trx: Db, publicIds: readonly string[]) {
  const servers = trx.selectFrom('servers').select(['public_id', 'owner_id', 'name'])
  return servers.where('public_id', '=', anyOf(publicIds)).orderBy('public_id').forNoKeyUpdate().execute()
}

export async function lockCredentialsOf(trx: Db, ownerId: string): Promise<void> {
  await sql`select from credentials where server_id in ${serverIdsOf(ownerId)} order by id for no key update`.execute(trx)
}

// 5. What is about servers: issues. Transfers are deleted or inserted, never locked.

export function lockIssue(trx: Db, id: string) {
  return trx.selectFrom('protection_issues').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}
