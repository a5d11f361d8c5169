/**
 * The rules of game servers: to have them. Each owns its transaction, holds the acting person's row in it, and leaves uniqueness and
 * limits to the database. What is not the caller's does not exist.
 */
import { v7 as uuidv7 } from 'uuid'
import type { NewServer } from '#contract/servers.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import { isViolation } from '#backend/platform/database/violation.ts'
import { forbidden } from '#backend/platform/errors.ts'
import { randomBase62 } from '#backend/platform/random-id.ts'
import { type By, recordEvent } from '#backend/features/events/events.ts'
import { deleteLiveState } from './live-state.queries.ts'
import { allowanceOf, heldBenefits, lockActor } from '#backend/features/users/users.ts'
import { type Credential, PUBLIC_ID_LENGTH, newCredential } from './credential.ts'
import { columnsOf, holdReferred, refuseWithoutBenefit, refusingTaken } from './fields.ts'
import { holdServer, isPublicId, noServer, ownServer } from './holding.ts'
import { banAgain } from './ban.ts'
import { findBanOfName, rememberBan } from './remembered-bans.ts'
import { refuseTakenVanity } from './vanity.ts'
import {
  type ServerRow,
  clearPromotion,
  deleteEndedCredentials,
  deleteServer,
  dropCredentials,
  findServerOf,
  insertCredential,
  insertServer,
  listManagedServers,
  listServersById,
  listServersOf,
  lockServerOf,
  lockServersOf,
  revokeCredentials,
  tallyServersOf,
} from './servers.queries.ts'

export type { ServerRow }

/** One random id in 3.5 × 10¹² is taken already with 10⁶ servers in 3.5 × 10⁶ tries; a second try is enough for ever. */
const TRIES_FOR_AN_ID = 3

export function listServers(db: Db, userId: string): Promise<ServerRow[]> {
  return listServersOf(db, userId)
}

export async function getServer(db: Db, userId: string, publicId: string): Promise<ServerRow> {
  const row = isPublicId(publicId) ? await findServerOf(db, userId, publicId) : undefined
  if (row === undefined) throw noServer()
  return row
}

/** Those of these servers that exist, whosever they are. */
export function findServers(db: Db, publicIds: readonly string[]): Promise<ServerRow[]> {
  return listServersById(db, publicIds)
}

/** The servers that others let this person manage, with what he may do. */
export function listManaged(db: Db, managerId: string) {
  return listManagedServers(db, managerId)
}

/** A server that the owner lets this person manage. */
export async function getManaged(
  db: Db,
  managerId: string,
  ownerId: string,
  publicId: string,
): Promise<{ row: ServerRow; permissions: readonly string[] }> {
  const [row] = isPublicId(publicId) ? await listManagedServers(db, managerId, publicId) : []
  if (row?.owner_id !== ownerId) throw noServer()
  return { row, permissions: row.permissions }
}

/** A server that this person may look at: his own, or one that he manages. */
export async function getVisible(db: Db, userId: string, publicId: string): Promise<ServerRow> {
  if (!isPublicId(publicId)) throw noServer()
  const own = await findServerOf(db, userId, publicId)
  const row = own ?? (await listManagedServers(db, userId, publicId))[0]
  if (row === undefined) throw noServer()
  return row
}

/** Registers a server inside its owner's limit. Answers the row and the credential, which exists in the clear only here. */
export async function createServer(db: Db, userId: string, input: NewServer): Promise<{ row: ServerRow; credential: Credential }> {
  for (let tries = 1; ; tries += 1) {
    const publicId = newPublicId()
    try {
      return await refusingTaken(() => transaction(db, (trx) => createIn(trx, userId, publicId, input)))
    } catch (error) {
      if (!(isViolation(error, 'servers_pkey') && tries < TRIES_FOR_AN_ID)) throw error
    }
  }
}

async function createIn(trx: Db, userId: string, publicId: string, input: NewServer): Promise<{ row: ServerRow; credential: Credential }> {
  const owner = await lockActor(trx, userId, 'update')
  const most = allowanceOf(owner).servers
  if ((await countServers(trx, userId)) >= most) throw forbidden(limitReached(most))
  refuseWithoutBenefit(input, await heldBenefits(trx, owner), 'self')
  const wanted = await holdReferred(trx, input, { ownerId: userId, actorId: userId })
  if (input.promoted === true) await clearPromotion(trx, userId, publicId)
  const row = await insertServer(trx, { ...columnsOf(wanted), public_id: publicId, owner_id: userId })
  if (row.vanity_url !== null) await refuseTakenVanity(trx, row.vanity_url, userId)
  const credential = await issueCredential(trx, publicId)
  await recordEvent(trx, { action: 'SERVER_CREATED', as: 'self', actorId: userId, ownerId: userId, server: row, after: { ...input } })
  return { row: await banAgain(trx, row, await findBanOfName(trx, userId, row.name)), credential }
}

/** How many servers a person who is held has. */
export async function countServers(trx: Db, userId: string): Promise<number> {
  return (await tallyServersOf(trx, userId)).count
}

/** How many servers a person has, and whether he promotes one of them. */
export function tallyServers(db: Db, userId: string): Promise<{ count: number; promotesOne: boolean }> {
  return tallyServersOf(db, userId)
}

/** Holds a server; undefined where this owner has no such server any more. */
export function lockServer(trx: Db, ownerId: string, publicId: string): Promise<ServerRow | undefined> {
  return lockServerOf(trx, ownerId, publicId)
}

/** Holds all servers of a person who is held, and answers which they are. */
export function lockServers(trx: Db, ownerId: string): Promise<string[]> {
  return lockServersOf(trx, ownerId)
}

/** What a person at his limit is told, wherever a server would come to him (contract section 5). */
export function limitReached(most: number): string {
  return `You have reached your limit of ${most} servers.`
}

/** Removes a server. */
export async function removeServer(db: Db, userId: string, publicId: string): Promise<void> {
  await transaction(db, async (trx) => {
    const { row } = await holdServer(trx, ownServer(userId, publicId), [])
    await removeHeld(trx, row, { as: 'self', actorId: userId })
  })
}

/** The same for a server that is held, in the caller's transaction. */
export async function removeHeld(trx: Db, row: ServerRow, by: By): Promise<void> {
  const { public_id: publicId, owner_id: ownerId, name } = row
  // Somebody else's may be asked for again: the audit log keeps what it was.
  const before = by.as === 'self' ? { name } : { name, ...listingOf(row) }
  await recordEvent(trx, { action: 'SERVER_DELETED', ...by, ownerId, server: row, before })
  if (by.as === 'self') await rememberBan(trx, row)
  await endCredentials(trx, publicId)
  await deleteServer(trx, publicId)
}

function listingOf({ description, language, tags, game_mode, website, visible, vanity_url, promoted, verified }: ServerRow) {
  return { description, language, tags, game_mode, website, visible, vanity_url, promoted, verified }
}

/** A public id always holds a capital letter and a vanity id never does, so the one can't be taken for the other. */
function newPublicId(): string {
  for (;;) {
    const id = randomBase62(PUBLIC_ID_LENGTH)
    if (/[A-Z]/.test(id)) return id
  }
}

/** Makes a credential for a server that is held. */
export async function issueCredential(trx: Db, publicId: string): Promise<Credential> {
  const credential = newCredential(publicId)
  await insertCredential(trx, { id: uuidv7(), publicId, hash: credential.hash, hint: credential.hint })
  return credential
}

/**
 * Ends every credential of a server that is held, which they outlive: they know it no more, and what the list learned by them, the
 * address of its host too, is forgotten.
 */
export async function endCredentials(trx: Db, publicId: string): Promise<void> {
  // First: whoever binds one of them holds it before its uses.
  await revokeCredentials(trx, publicId)
  await deleteLiveState(trx, publicId)
  await dropCredentials(trx, publicId)
}

/** Half a year: whoever still announces with an older credential has not looked at his server for as long. */
const KEEP_ENDED_CREDENTIALS_DAYS = 180

/** Forgets credentials that ended long ago. */
export async function forgetEndedCredentials({ db }: { readonly db: Db }): Promise<void> {
  await deleteEndedCredentials(db, KEEP_ENDED_CREDENTIALS_DAYS)
}
