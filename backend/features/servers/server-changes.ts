/** The rules of game servers: to change them, for their owners and for those who manage for them. */
import type { ActorRole } from '#contract/activity.ts'
import type { Permission } from '#contract/permissions.ts'
import { permissionFor } from '#contract/permissions.ts'
import type { ServerChanges } from '#contract/servers.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import { type By, diff, recordEvent } from '#backend/features/events/events.ts'
import { copyImage } from '#backend/features/images/images.ts'
import { forgetAddress } from './live-state.queries.ts'
import { heldBenefits } from '#backend/features/users/users.ts'
import type { Credential } from './credential.ts'
import { columnsOf, holdReferred, refuseWithoutBenefit, refusingTaken } from './fields.ts'
import { banAgain } from './ban.ts'
import { type Acting, type Held, holdServer } from './holding.ts'
import { findBanOfName } from './remembered-bans.ts'
import { endCredentials, findServers, issueCredential } from './servers.ts'
import { type ServerRow, clearPromotion, graceCurrentCredential, moveServer, revokeCredentials, updateServer } from './servers.queries.ts'
import { refuseTakenVanity } from './vanity.ts'

/** A server as it is now, and what the acting manager may do with it: both from the moment of the change. */
interface Changed {
  readonly row: ServerRow
  readonly permissions: readonly string[]
}

/** What an owner or manager may change, and what only an administrator may. */
type AnyChanges = ServerChanges & { readonly verified?: boolean | undefined }

/** Changes a server. A promotion moves from another one. */
export function changeServer(db: Db, acting: Acting, changes: ServerChanges): Promise<Changed> {
  const needs = [...new Set(Object.keys(changes).map(permissionFor))].filter((need): need is Permission => need !== undefined)
  return refusingTaken(() =>
    transaction(db, async (trx) => {
      // Promotion moves between the owner's servers, so two calls must not do it at once.
      const held = await holdServer(trx, acting, needs, changes.promoted === true ? 'update' : 'share')
      return { row: await changeHeld(trx, held, acting.userId, changes), permissions: held.permissions }
    }),
  )
}

/** The same for a server that is held with its owner, in the caller's transaction; whoever calls translates what is taken. */
export async function changeHeld(
  trx: Db,
  { as, owner, row }: Pick<Held, 'owner' | 'row'> & { readonly as: ActorRole },
  actorId: string,
  changes: AnyChanges,
): Promise<ServerRow> {
  const { public_id: publicId, owner_id: ownerId } = row
  const asked = differing(row, changes)
  if (asked === undefined) return row
  refuseWithoutBenefit(asked, await heldBenefits(trx, owner), as)
  const wanted = await holdReferred(trx, asked, { ownerId, actorId })
  const changed = diff(row, wanted)
  // A manager may choose his own picture again, of which the owner has the copy already.
  if (changed === undefined) return row
  const cleared = wanted.promoted === true ? await clearPromotion(trx, ownerId, publicId) : []
  const next = await updateServer(trx, publicId, columnsOf(wanted))
  if (wanted.vanity_url != null) await refuseTakenVanity(trx, wanted.vanity_url, ownerId)
  const common = { action: 'SERVER_CHANGED', as, actorId, ownerId } as const
  const demoted = cleared.map((server) => ({ ...common, server, before: { promoted: true }, after: { promoted: false } }))
  await recordEvent(trx, { ...common, server: row, ...changed }, ...demoted)
  // An administrator may give any name.
  const ban = wanted.name === undefined || as === 'administrator' ? undefined : await findBanOfName(trx, ownerId, next.name)
  return banAgain(trx, next, ban)
}

/** Of the changes asked for those that change something; undefined where none does. */
function differing(row: ServerRow, changes: AnyChanges): AnyChanges | undefined {
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
  return diff(row, given)?.after
}

/** Makes a new credential. Without a grace every older one is dead when this commits. */
export function reissueCredential(db: Db, acting: Acting, graceSeconds: number | undefined): Promise<Changed & { credential: Credential }> {
  const { userId, ownerId, publicId } = acting
  return transaction(db, async (trx) => {
    const { as, row, permissions } = await holdServer(trx, acting, ['REISSUE_CREDENTIAL'])
    await (graceSeconds === undefined ? revokeCredentials(trx, publicId) : graceCurrentCredential(trx, publicId, graceSeconds))
    const credential = await issueCredential(trx, publicId)
    const after = { credential_hint: credential.hint, grace_seconds: graceSeconds ?? 0 }
    await recordEvent(trx, { action: 'CREDENTIAL_REISSUED', as, actorId: userId, ownerId, server: row, after })
    return { row, permissions, credential }
  })
}

/** Forgets the bound address; the next announce binds anew. */
export function resetAddress(db: Db, acting: Acting): Promise<Changed> {
  const { userId } = acting
  return transaction(db, async (trx) => {
    const { as, row, permissions } = await holdServer(trx, acting, ['RESET_ADDRESS'])
    await resetHeld(trx, row, { as, actorId: userId })
    return { row, permissions }
  })
}

/** The same for a server that is held, in the caller's transaction. */
export async function resetHeld(trx: Db, row: ServerRow, by: By): Promise<void> {
  const bound = await forgetAddress(trx, row.public_id)
  const changed = bound === null ? {} : { before: { bound_address: bound }, after: { bound_address: null } }
  await recordEvent(trx, { action: 'ADDRESS_RESET', ...by, ownerId: row.owner_id, server: row, ...changed })
}

/**
 * Gives a server that is held to somebody else who is held: every credential dies and knows the server no more, what the list learned
 * of it is forgotten, it leaves its group, takes its icon along as the new owner's own, and promotion stays only where the new owner
 * promotes no other. What they lack the benefit for is hidden by the list, not lost. In the transaction of the transfer.
 */
export async function giveServer(trx: Db, publicId: string, toUserId: string): Promise<void> {
  await endCredentials(trx, publicId)
  const icon = (await findServers(trx, [publicId]))[0]?.icon_image_id ?? null
  await moveServer(trx, publicId, toUserId, icon === null ? null : await copyImage(trx, icon, toUserId))
}
