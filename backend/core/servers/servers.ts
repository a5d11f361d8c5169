/**
 * The rules for reading, creating and deleting servers. Functions that take `trx` run in the caller's transaction. Limits are counted while
 * the owner's row is locked.
 */
import { sql } from 'kysely'
import { BIN_DAYS } from '#contract/servers/bin-days.ts'
import { SERVER_FIELD_NAMES } from '#contract/servers/server-field-shapes.ts'
import type { NewServer } from '#contract/servers/servers.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import { forbidden } from '#backend/platform/errors.ts'
import { randomBase62 } from '#backend/platform/random-id.ts'
import { type EventActor, type DomainEvent, bySelf, recordEvent } from '#backend/core/events/events.ts'
import { type UserRow, allowanceOf, lockActor } from '#backend/core/users/users.ts'
import { applyRememberedBan } from './bans.ts'
import { type Credential, PUBLIC_ID_LENGTH, newCredential } from './credential.ts'
import { clearBoundAddresses } from './bound-addresses.ts'
import { insertCredential, revokeCredentials } from './credentials.queries.ts'
import { makeRoomInBin } from './deleted-servers.ts'
import { isUniqueViolation } from '#backend/platform/database/violation.ts'
import { checkFields, columnsOf, rejectFieldsInUse, translateUniqueViolations } from './fields.ts'
import { findRememberedBanByName, rememberBan } from './remembered-bans.ts'
import { type Administrator, type Owner, requireServer, isPublicId, withLockedServer } from './server-access.ts'
import { type ServerRow, findServer, insertServer, listManagedServers, tallyServers } from './servers.queries.ts'
import { rejectTakenVanityId } from './vanity.ts'

export { deleteOldCredentials } from './credentials.queries.ts'
export { type ServerRow, findOwnerId, findServers, listManagedServers, listServers, tallyServers } from './servers.queries.ts'

export async function getServer(db: Db, userId: string, publicId: string): Promise<ServerRow> {
  return requireServer(isPublicId(publicId) ? await findServer(db, userId, publicId) : undefined)
}

/** A server that this user manages for the owner, with the manager's permissions. */
export async function getManagedServer(db: Db, managerId: string, ownerId: string, publicId: string) {
  const [row] = isPublicId(publicId) ? await listManagedServers(db, managerId, publicId) : []
  return requireServer(row?.owner_id === ownerId ? row : undefined)
}

export async function getOwnedOrManagedServer(db: Db, userId: string, publicId: string): Promise<ServerRow> {
  const find = async () => (await findServer(db, userId, publicId)) ?? (await listManagedServers(db, userId, publicId))[0]
  return requireServer(isPublicId(publicId) ? await find() : undefined)
}

interface CreatedServer {
  readonly row: ServerRow
  /** The only time it's available in plain text. */
  readonly credential: Credential
}

export async function createServer(db: Db, userId: string, input: NewServer): Promise<CreatedServer> {
  const create = () => translateUniqueViolations(() => transaction(db, (trx) => createServerIn(trx, userId, input)))
  try {
    return await create()
  } catch (error) {
    // There are 3.5 × 10¹² public IDs: with a million servers, one in 3.5 million is taken.
    if (isUniqueViolation(error, 'servers_pkey')) return await create()
    throw error
  }
}

async function createServerIn(trx: Db, userId: string, input: NewServer): Promise<CreatedServer> {
  const publicId = newPublicId()
  const owner = await lockActor(trx, userId, 'update')
  await rejectOverServerLimit(trx, owner)
  const resolved = await checkFields(trx, input, { as: 'self', actorId: userId, owner })
  const demotions = input.promoted === true ? await clearOtherPromotion(trx, bySelf(userId), publicId) : []
  const columns = { ...columnsOf(resolved), public_id: publicId, owner_id: userId }
  await rejectFieldsInUse(trx, columns, userId)
  const row = await insertServer(trx, columns)
  if (row.vanity_url !== null) await rejectTakenVanityId(trx, row.vanity_url, userId)
  const credential = newCredential(publicId)
  await insertCredential(trx, publicId, credential)
  await recordEvent(trx, { action: 'SERVER_CREATED', ...bySelf(userId), server: row, after: { ...input } }, ...demotions)
  return { row: await applyRememberedBan(trx, row, await findRememberedBanByName(trx, userId, row.name)), credential }
}

/**
 * Clears the promotion of the owner's other server, because a unique index allows one per owner. Record the returned events after the
 * one that caused them.
 */
export async function clearOtherPromotion(
  trx: Db,
  by: EventActor & { readonly ownerId: string },
  exceptPublicId: string,
): Promise<DomainEvent[]> {
  const demoted = await trx
    .updateTable('servers')
    .set({ promoted: false, updated_at: sql<Date>`now()` })
    .where('owner_id', '=', by.ownerId)
    .where('promoted', '=', true)
    .where('public_id', '!=', exceptPublicId)
    .returning(['public_id', 'name'])
    .execute()
  return demoted.map((server) => ({ ...by, action: 'SERVER_CHANGED', server, before: { promoted: true }, after: { promoted: false } }))
}

/** Throws `forbidden` if the owner has reached their server limit. Lock the owner for update first. */
export async function rejectOverServerLimit(trx: Db, owner: UserRow): Promise<void> {
  const max = allowanceOf(owner).servers
  if ((await tallyServers(trx, owner.id)).count >= max) throw forbidden('SERVER_LIMIT_REACHED', { max })
}

/** Contains a capital letter, which a vanity ID never does, so the two are never equal. `rejectTakenVanityId` also compares them without case. */
function newPublicId(): string {
  for (;;) {
    const id = randomBase62(PUBLIC_ID_LENGTH)
    if (/[A-Z]/.test(id)) return id
  }
}

/** Moves a server to the bin, where it rests for `BIN_DAYS` (deleted-servers.ts). */
export function removeServer(db: Db, actor: Owner | Administrator): Promise<void> {
  return withLockedServer(db, actor, { lockMode: 'update' }, async (trx, { as, actorId, owner, row }) => {
    const { public_id: publicId, owner_id: ownerId } = row
    await recordEvent(trx, {
      action: 'SERVER_DELETED',
      as,
      actorId,
      ownerId,
      server: row,
      before: as === 'self' ? { name: row.name } : listingOf(row),
    })
    if (as === 'self') await rememberBan(trx, row)
    await retireCredentials(trx, publicId)
    // Its name stays taken, and a trigger releases its vanity ID. A server that was restored keeps its first date, so its name isn't held longer.
    const deletedAt = sql<Date>`case when last_deleted_at > now() - make_interval(days => ${BIN_DAYS}) then last_deleted_at else now() end`
    await trx.updateTable('all_servers').set({ deleted_at: deletedAt }).where('public_id', '=', publicId).execute()
    await makeRoomInBin(trx, owner, publicId)
  })
}

/** For the audit log, because the owner of a server that an administrator deleted may ask for it back. */
const listingOf = (row: ServerRow) => Object.fromEntries([...SERVER_FIELD_NAMES, 'verified' as const].map((field) => [field, row[field]]))

/** Revokes and detaches every credential of a locked server, and deletes its live state, including the host's address. */
export async function retireCredentials(trx: Db, publicId: string): Promise<void> {
  // Revoke first: binding an address locks the credential before its other rows, and this must lock in the same order.
  await revokeCredentials(trx, publicId)
  await sql`
    delete from credential_uses where credential_id in (
      select x.credential_id from credential_uses x join credentials c on c.id = x.credential_id and c.server_id = ${publicId}
      order by x.credential_id for update of x)`.execute(trx)
  await clearBoundAddresses(trx, publicId)
  await trx.deleteFrom('endpoint_proofs').where('server_id', '=', publicId).execute()
  await trx.deleteFrom('presence').where('server_id', '=', publicId).execute()
  await trx.deleteFrom('announce_attempts').where('server_id', '=', publicId).execute()
  // The rows stay, so that a late announce is rejected as "revoked".
  await trx.updateTable('credentials').set({ server_id: null, hint: '' }).where('server_id', '=', publicId).execute()
}
