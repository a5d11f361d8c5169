/** The rules that change a server, shared by its owner, its managers and administrators. */
import { sql } from 'kysely'
import type { Permission } from '#contract/servers/permissions.ts'
import type { ServerFieldName } from '#contract/servers/server-field-shapes.ts'
import { SERVER_FIELDS } from '#contract/servers/server-fields.ts'
import type { ServerChanges } from '#contract/servers/servers.ts'
import type { AdminServerChanges } from '#contract/servers/servers-admin.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { forbidden } from '#backend/platform/errors.ts'
import { rejectStaleVersion } from '#backend/platform/http/if-match.ts'
import { diff, recordEvent } from '#backend/core/events/events.ts'
import { copyImage } from '#backend/core/images/images.ts'
import { applyRememberedBan } from './bans.ts'
import { type Credential, newCredential } from './credential.ts'
import { clearBoundAddresses } from './bound-addresses.ts'
import { startGracePeriod, insertCredential, revokeCredentials } from './credentials.queries.ts'
import { checkFields, columnsOf, rejectFieldsInUse, translateUniqueViolations } from './fields.ts'
import { findRememberedBanByName } from './remembered-bans.ts'
import { type Administrator, type LockedServer, type Manager, type Owner, withLockedServer } from './server-access.ts'
import { retireCredentials, clearOtherPromotion } from './servers.ts'
import { type ServerRow, updateServer } from './servers.queries.ts'
import { rejectTakenVanityId } from './vanity.ts'

/** @param ifMatch the version that the changes are based on. Throws `VersionConflict` if it is stale. */
export function changeServer(db: Db, actor: Owner | Manager, changes: ServerChanges, ifMatch: number | undefined): Promise<LockedServer>
export function changeServer(db: Db, actor: Administrator, changes: AdminServerChanges, ifMatch: number | undefined): Promise<LockedServer>
export async function changeServer(
  db: Db,
  actor: Owner | Manager | Administrator,
  changes: AdminServerChanges,
  ifMatch: number | undefined,
): Promise<LockedServer> {
  const requiredPermissions = actor.as === 'manager' ? permissionsFor(changes) : []
  // Promotion moves between the owner's servers, and released vanity IDs are limited per owner, so these calls must run one at a time.
  const lockMode = changes.promoted === true || changes.vanity_url !== undefined ? 'update' : 'share'
  return translateUniqueViolations(() =>
    withLockedServer(db, actor, { requiredPermissions, lockMode }, async (trx, server) => {
      rejectStaleVersion(ifMatch, server.row.version, server)
      return { ...server, row: await changeLockedServer(trx, server, changes) }
    }),
  )
}

/** Throws `forbidden` for a field that only administrators change. */
function permissionsFor(changes: ServerChanges): Permission[] {
  const permissionOf = (field: string) => {
    if (!isServerField(field)) throw forbidden('FIELD_NOT_FOR_MANAGERS', { field }).inField(field)
    return SERVER_FIELDS[field].permission
  }
  return [...new Set(Object.keys(changes).map(permissionOf))]
}

const isServerField = (field: string): field is ServerFieldName => Object.hasOwn(SERVER_FIELDS, field)

async function changeLockedServer(trx: Db, { as, actorId, owner, row }: LockedServer, changes: AdminServerChanges): Promise<ServerRow> {
  const { public_id: publicId, owner_id: ownerId } = row
  const requested: AdminServerChanges | undefined = diff(row, changes)?.after
  if (requested === undefined) return row
  const resolved = await checkFields(trx, requested, { as, actorId, owner })
  const changed = diff(row, resolved)
  // Nothing changes if a manager chooses the original of the owner's current icon.
  if (changed === undefined) return row
  const by = { as, actorId, ownerId }
  const demotions = resolved.promoted === true ? await clearOtherPromotion(trx, by, publicId) : []
  const columns = columnsOf(resolved)
  await rejectFieldsInUse(trx, { ...columns, public_id: publicId }, as === 'self' ? ownerId : undefined)
  const next = await updateServer(trx, publicId, columns)
  if (resolved.vanity_url != null) await rejectTakenVanityId(trx, resolved.vanity_url, ownerId)
  await recordEvent(trx, { action: 'SERVER_CHANGED', ...by, server: row, ...changed }, ...demotions)
  // Administrators may use any name.
  const ban = resolved.name === undefined || as === 'administrator' ? undefined : await findRememberedBanByName(trx, ownerId, next.name)
  return applyRememberedBan(trx, next, ban)
}

/** Issues a new credential. Without a grace period every older one stops working when this commits. */
export function reissueCredential(
  db: Db,
  actor: Owner | Manager,
  graceSeconds: number | undefined,
): Promise<LockedServer & { credential: Credential }> {
  return withLockedServer(db, actor, { requiredPermissions: ['REISSUE_CREDENTIAL'] }, async (trx, server) => {
    const { as, actorId, row } = server
    const { public_id: publicId, owner_id: ownerId } = row
    await (graceSeconds === undefined ? revokeCredentials(trx, publicId) : startGracePeriod(trx, publicId, graceSeconds))
    const credential = newCredential(publicId)
    await insertCredential(trx, publicId, credential)
    const after = { credential_hint: credential.hint, grace_seconds: graceSeconds ?? 0 }
    await recordEvent(trx, { action: 'CREDENTIAL_REISSUED', as, actorId, ownerId, server: row, after })
    return { ...server, credential }
  })
}

/** Clears the bound addresses. The next announce of each family binds again. */
export function resetAddress(db: Db, actor: Owner | Manager | Administrator): Promise<LockedServer> {
  return withLockedServer(db, actor, { requiredPermissions: ['RESET_ADDRESS'] }, async (trx, server) => {
    const { as, actorId, row } = server
    const bound = await clearBoundAddresses(trx, row.public_id)
    const changed = bound.length === 0 ? {} : { before: { bound_address: bound.join(', ') }, after: { bound_address: null } }
    await recordEvent(trx, { action: 'ADDRESS_RESET', as, actorId, ownerId: row.owner_id, server: row, ...changed })
    return server
  })
}

/**
 * Moves a locked server to another locked user, in the transfer's transaction. Its credentials are revoked, its live state is deleted, and it
 * leaves its group. The new owner gets a copy of the icon. Fields without the needed benefit stay, but the list hides them.
 */
export async function transferServer(trx: Db, { public_id: publicId, icon_image_id: icon }: ServerRow, toUserId: string): Promise<void> {
  await retireCredentials(trx, publicId)
  await trx
    .updateTable('servers')
    .set({
      owner_id: toUserId,
      group_id: null,
      icon_image_id: icon === null ? null : await copyImage(trx, icon, toUserId),
      // Only one promotion is allowed.
      promoted: sql<boolean>`promoted and not exists (select from servers other where other.owner_id = ${toUserId}::uuid and other.promoted)`,
      updated_at: sql<Date>`now()`,
    })
    .where('public_id', '=', publicId)
    .execute()
}
