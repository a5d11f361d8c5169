/** Managers: users with permissions over an owner's servers. The owner's row is locked while their managers are counted or changed. */
import { v7 as uuidv7 } from 'uuid'
import type { Appearance, Grant } from '#contract/servers/managers.ts'
import { PERMISSIONS, PERMISSION_KEYS } from '#contract/servers/permissions.ts'
import { BENEFIT_FIELDS } from '#contract/servers/server-field-shapes.ts'
import { SERVER_FIELDS } from '#contract/servers/server-fields.ts'
import type { GivenManagement } from '#contract/users/users.ts'
import { lockManagerGrant, lockUsers } from '#backend/platform/database/lock-order.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { anyOf } from '#backend/platform/database/sql.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import { isUuid } from '#backend/platform/database/uuid.ts'
import { forbidden, invalid, orNotFound } from '#backend/platform/errors.ts'
import { BY_SYSTEM, type DomainEvent, bySelf, recordEvent } from '#backend/core/events/events.ts'
import { listGroupsOf } from '#backend/core/groups/groups.ts'
import { presentUser } from '#backend/core/users/public-users.ts'
import { type UserRow, requireActor, allowanceOf, heldBenefits, isActive, lockActor, getUser } from '#backend/core/users/users.ts'
import { type ManagerGrantRow, presentGivenGrant } from '#backend/core/users/users.present.ts'

/** Gives a user permissions over all servers of the owner, or changes them. A new manager counts against the owner's limit. */
export function setManagerGrant(db: Db, ownerId: string, { user_id: managerId, permissions }: Grant): Promise<GivenManagement> {
  if (managerId === ownerId) throw invalid('MANAGER_IS_OWNER').inField('user_id')
  // In the contract's order, so that equal permissions compare equal.
  const wanted = PERMISSION_KEYS.filter((key) => permissions.includes(key))
  return transaction(db, async (trx) => {
    const users = await lockUsers(trx, { [ownerId]: 'update', [managerId]: 'share' })
    const owner = requireActor(users, ownerId)
    const manager = orNotFound(users.get(managerId), 'USER_NOT_FOUND', 'user_id')
    if (!isActive(manager)) throw invalid('MANAGER_INACTIVE').inField('user_id')
    return presentGivenGrant(await upsertManagerGrant(trx, owner, managerId, wanted), presentUser(manager))
  })
}

async function upsertManagerGrant(trx: Db, owner: UserRow, managerId: string, permissions: readonly string[]): Promise<ManagerGrantRow> {
  const common = { ...bySelf(owner.id), otherId: managerId, after: { permissions } }
  const existing = await lockManagerGrant(trx, owner.id, managerId)
  if (existing !== undefined) {
    if (existing.permissions.join() === permissions.join()) return existing
    const grant = trx.updateTable('manager_grants').where('id', '=', existing.id)
    const row = await grant
      .set({ permissions: [...permissions] })
      .returningAll()
      .executeTakeFirstOrThrow()
    await recordEvent(trx, { action: 'MANAGER_CHANGED', ...common, before: { permissions: existing.permissions } })
    return row
  }
  const max = allowanceOf(owner).managers
  const managers = await trx.selectFrom('manager_grants').select('id').where('owner_id', '=', owner.id).execute()
  if (managers.length >= max) throw forbidden('MANAGER_LIMIT_REACHED', { count: max })
  const grant = { id: uuidv7(), owner_id: owner.id, manager_id: managerId, permissions: [...permissions] }
  const row = await trx.insertInto('manager_grants').values(grant).returningAll().executeTakeFirstOrThrow()
  await recordEvent(trx, { action: 'MANAGER_GRANTED', ...common })
  return row
}

/** Revokes a manager. Once this commits, their calls are rejected. */
export function revokeManagerGrant(db: Db, ownerId: string, managerId: string): Promise<void> {
  return transaction(db, async (trx) => {
    await lockActor(trx, ownerId, 'update')
    const deleted = await deleteManagerGrant(trx, { owner_id: ownerId, manager_id: managerId })
    const { permissions } = orNotFound(deleted, 'MANAGER_NOT_FOUND', 'user_id')
    await recordEvent(trx, { action: 'MANAGER_REVOKED', ...bySelf(ownerId), otherId: managerId, before: { permissions } })
  })
}

export function resignAsManager(db: Db, managerId: string, id: string): Promise<void> {
  return transaction(db, async (trx) => {
    await lockActor(trx, managerId, 'share')
    const deleted = isUuid(id) ? await deleteManagerGrant(trx, { id, manager_id: managerId }) : undefined
    const { owner_id: ownerId, permissions } = orNotFound(deleted, 'MANAGEMENT_NOT_FOUND')
    const parties = { as: 'manager', actorId: managerId, ownerId, otherId: managerId } as const
    await recordEvent(trx, { action: 'MANAGER_REFUSED', ...parties, before: { permissions } })
  })
}

/** Deletes every grant from and to a locked user, in the transaction that erases them. */
export async function deleteAllManagerGrantsOf(trx: Db, userId: string): Promise<void> {
  const deleted = await trx
    .deleteFrom('manager_grants')
    .where((q) => q.or([q('owner_id', '=', userId), q('manager_id', '=', userId)]))
    .returning(['owner_id', 'manager_id', 'permissions'])
    .execute()
  const events = deleted.map(({ owner_id: ownerId, manager_id: otherId, permissions }): DomainEvent => {
    const action = ownerId === userId ? 'MANAGER_REVOKED' : 'MANAGER_REFUSED'
    return { action, ...BY_SYSTEM, ownerId, otherId, before: { permissions } }
  })
  await recordEvent(trx, ...events)
}

/**
 * What a manager can choose for an owner's servers: the owner's groups, and the owner's benefits that unlock fields. Throws `not-found` for a
 * user who isn't a manager of this owner, and `forbidden` without the permission to edit the appearance.
 */
export async function getAppearanceOptions(db: Db, managerId: string, ownerId: string): Promise<Appearance> {
  const [grant] = isUuid(ownerId) ? await managersAmong(db, ownerId, [managerId]) : []
  const { permissions } = orNotFound(grant, 'MANAGEMENT_NOT_FOUND')
  if (!permissions.includes('EDIT_APPEARANCE'))
    throw forbidden('PERMISSION_NOT_GRANTED', { permission: PERMISSIONS.EDIT_APPEARANCE.name() })
  const held = await heldBenefits(db, await getUser(db, ownerId))
  return {
    benefits: BENEFIT_FIELDS.map((field) => SERVER_FIELDS[field].benefit).filter((key) => held.has(key)),
    groups: await listGroupsOf(db, ownerId),
  }
}

/** Those of the given users who are managers of this owner, with their permissions. */
export async function managersAmong(db: Db, ownerId: string, userIds: readonly string[]) {
  if (userIds.length === 0) return []
  return db
    .selectFrom('manager_grants')
    .select(['manager_id', 'permissions'])
    .where('owner_id', '=', ownerId)
    .where('manager_id', '=', anyOf(userIds))
    .execute()
}

export async function ownersManagedBy(db: Db, managerId: string): Promise<string[]> {
  const rows = await db.selectFrom('manager_grants').select('owner_id').where('manager_id', '=', managerId).execute()
  return rows.map((row) => row.owner_id)
}

/** Deletes a manager's grant from this owner or with this id, and returns it; undefined if there is none. */
function deleteManagerGrant(trx: Db, grant: { manager_id: string } & ({ owner_id: string } | { id: string })) {
  return trx
    .deleteFrom('manager_grants')
    .where((q) => q.and(grant))
    .returning(['owner_id', 'permissions'])
    .executeTakeFirst()
}
