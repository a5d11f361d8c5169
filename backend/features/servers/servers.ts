/**
 * The rules of game servers. Each owns its transaction, holds the acting user's row in it, and leaves uniqueness and limits to the
 * database. What is not the caller's does not exist. After a commit the route tells the master list.
 */
import type { Updateable } from 'kysely'
import pg from 'pg'
import { v7 as uuidv7 } from 'uuid'
import { BENEFITS, type BenefitKey } from '#contract/benefits.ts'
import type { NewServer, ServerChanges } from '#contract/servers.ts'
import type { Db } from '#backend/database/open.ts'
import type { Servers } from '#backend/database/tables.ts'
import { type AppError, business, forbidden, invalid, notFound } from '#backend/errors.ts'
import { forgetAddress } from '#backend/features/masterlist/binding.ts'
import { allowanceOf, heldBenefits, lockActor } from '#backend/features/users/users.ts'
import { type Credential, PUBLIC_ID_LENGTH, newCredential, randomBase62 } from './credential.ts'
import { nameKey } from './name-key.ts'
import {
  type ServerRow,
  deleteEndedCredentials,
  clearPromotion,
  countServersOf,
  deleteServer,
  findServerOf,
  graceCurrentCredential,
  insertCredential,
  insertServer,
  listServersOf,
  lockServerOf,
  revokeCredentials,
  updateServer,
} from './servers.queries.ts'

const PUBLIC_ID = /^[0-9A-Za-z]{7}$/
const noServer = () => notFound('server')

/** One random id in 3.5 × 10¹² is taken already with 10⁶ servers in 3.5 × 10⁶ tries; a second try is enough for ever. */
const TRIES_FOR_AN_ID = 3

export function listServers(db: Db, userId: string): Promise<ServerRow[]> {
  return listServersOf(db, userId)
}

export async function getServer(db: Db, userId: string, publicId: string): Promise<ServerRow> {
  const row = PUBLIC_ID.test(publicId) ? await findServerOf(db, userId, publicId) : undefined
  if (row === undefined) throw noServer()
  return row
}

/** Registers a server inside its owner's limit. Answers the row and the credential, which exists in the clear only here. */
export async function createServer(db: Db, userId: string, input: NewServer): Promise<{ row: ServerRow; credential: Credential }> {
  for (let tries = 1; ; tries += 1) {
    const publicId = newPublicId()
    try {
      return await refusingTaken(() => db.transaction().execute((trx) => createIn(trx, userId, publicId, input)))
    } catch (error) {
      if (!(isViolation(error, 'servers_pkey') && tries < TRIES_FOR_AN_ID)) throw error
    }
  }
}

async function createIn(trx: Db, userId: string, publicId: string, input: NewServer): Promise<{ row: ServerRow; credential: Credential }> {
  const owner = await lockActor(trx, userId, 'update')
  const most = allowanceOf(owner).servers
  if ((await countServersOf(trx, userId)) >= most) throw forbidden(`You have reached your limit of ${most} servers.`)
  refuseWithoutBenefit(input, await heldBenefits(trx, owner))
  if (input.promoted === true) await clearPromotion(trx, userId, publicId)
  await insertServer(trx, { ...columnsOf(input), public_id: publicId, owner_id: userId, name: input.name, name_key: nameKey(input.name) })
  const credential = await issueCredential(trx, publicId)
  return { row: await mustFind(trx, userId, publicId), credential }
}

/** Changes a server. Answers the row and which other servers changed with it (a promotion moves). */
export function changeServer(
  db: Db,
  userId: string,
  publicId: string,
  changes: ServerChanges,
): Promise<{ row: ServerRow; alsoChanged: string[] }> {
  return refusingTaken(() =>
    db.transaction().execute(async (trx) => {
      // Promotion moves between the owner's servers, so two of his calls must not do it at once.
      const { actor } = await lockOwn(trx, userId, publicId, changes.promoted === true ? 'update' : 'share')
      refuseWithoutBenefit(changes, await heldBenefits(trx, actor))
      const cleared = changes.promoted === true ? await clearPromotion(trx, userId, publicId) : []
      const columns = columnsOf(changes)
      if (Object.keys(columns).length > 0) await updateServer(trx, publicId, columns)
      return { row: await mustFind(trx, userId, publicId), alsoChanged: cleared.map((other) => other.public_id) }
    }),
  )
}

export async function removeServer(db: Db, userId: string, publicId: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockOwn(trx, userId, publicId)
    await revokeCredentials(trx, publicId)
    await deleteServer(trx, publicId)
  })
}

/** Makes a new credential. Without a grace every older one is dead when this commits. */
export function reissueCredential(
  db: Db,
  userId: string,
  publicId: string,
  graceSeconds: number | undefined,
): Promise<{ row: ServerRow; credential: Credential }> {
  return db.transaction().execute(async (trx) => {
    await lockOwn(trx, userId, publicId)
    await (graceSeconds === undefined ? revokeCredentials(trx, publicId) : graceCurrentCredential(trx, publicId, graceSeconds))
    const credential = await issueCredential(trx, publicId)
    return { row: await mustFind(trx, userId, publicId), credential }
  })
}

/** Forgets the bound address; the next announce binds anew. */
export function resetAddress(db: Db, userId: string, publicId: string): Promise<ServerRow> {
  return db.transaction().execute(async (trx) => {
    const { row } = await lockOwn(trx, userId, publicId)
    await forgetAddress(trx, publicId)
    return row
  })
}

/** A public id always holds a capital letter and a vanity id never does, so the one can't be taken for the other. */
function newPublicId(): string {
  for (;;) {
    const id = randomBase62(PUBLIC_ID_LENGTH)
    if (/[A-Z]/.test(id)) return id
  }
}

async function lockOwn(trx: Db, userId: string, publicId: string, how: 'update' | 'share' = 'share') {
  const actor = await lockActor(trx, userId, how)
  const row = PUBLIC_ID.test(publicId) ? await lockServerOf(trx, userId, publicId) : undefined
  if (row === undefined) throw noServer()
  return { actor, row }
}

async function mustFind(trx: Db, userId: string, publicId: string): Promise<ServerRow> {
  const row = await findServerOf(trx, userId, publicId)
  if (row === undefined) throw noServer()
  return row
}

async function issueCredential(trx: Db, publicId: string): Promise<Credential> {
  const credential = newCredential(publicId)
  await insertCredential(trx, { id: uuidv7(), publicId, hash: credential.hash, hint: credential.hint })
  return credential
}

function columnsOf(changes: ServerChanges): Updateable<Servers> {
  const { group_id: _group, icon_image_id: _icon, ...columns } = changes
  const present = Object.entries(columns).filter(([, value]) => value !== undefined)
  return { ...Object.fromEntries(present), ...(changes.name !== undefined && { name_key: nameKey(changes.name) }) }
}

/** What needs a benefit may always be cleared; only setting it is gated, so that a lapsed benefit locks nobody in. */
function refuseWithoutBenefit(changes: ServerChanges, held: ReadonlySet<BenefitKey>): void {
  const need = (isSet: boolean, key: BenefitKey) => {
    if (isSet && !held.has(key)) throw forbidden(`This needs the benefit ${BENEFITS[key].name}, which you do not have.`)
  }
  need(changes.vanity_url != null, 'CUSTOM_VANITY_URL')
  need(changes.group_id != null, 'MASTERLIST_GROUPS')
  need(changes.promoted === true, 'PROMOTED')
  need(changes.icon_image_id != null, 'MASTERLIST_TOKEN_CARD_ICONS')
  if (changes.group_id != null) throw invalid('You have no group with this id.')
  if (changes.icon_image_id != null) throw invalid('You have no uploaded image with this id.')
}

function isViolation(error: unknown, constraint: string): boolean {
  return error instanceof pg.DatabaseError && error.code === '23505' && error.constraint === constraint
}

function taken(error: unknown): AppError | undefined {
  if (isViolation(error, 'servers_name_key')) {
    return business('NAME_ALREADY_EXISTS', 'Another server has this name, or one that looks like it. Choose a different name.')
  }
  if (isViolation(error, 'servers_vanity_url_key')) {
    return business('VANITY_URL_ALREADY_EXISTS', 'Another server has this vanity id. Choose a different one.')
  }
  return undefined
}

/** The database is the referee of what is unique; its word is put into ours. */
async function refusingTaken<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    throw taken(error) ?? error
  }
}

/** Half a year: whoever still announces with an older credential has not looked at his server for as long. */
const KEEP_ENDED_CREDENTIALS_DAYS = 180

/** Forgets credentials that ended long ago. */
export async function forgetEndedCredentials({ db }: { readonly db: Db }): Promise<void> {
  await deleteEndedCredentials(db, KEEP_ENDED_CREDENTIALS_DAYS)
}
