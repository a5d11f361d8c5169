/**
 * Groups show several servers of an owner under one name on the list. Creating one needs the benefit and counts against the owner's limit.
 * Renaming and deleting need neither, so owners can do both after the benefit ends.
 */
import { v7 as uuidv7 } from 'uuid'
import { BENEFITS } from '#contract/benefits/benefit-texts.ts'
import type { GroupInput } from '#contract/servers/groups.ts'
import { lockGroupForShare, lockGroupForUpdate, lockServersIn } from '#backend/platform/database/lock-order.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import { isUuid } from '#backend/platform/database/uuid.ts'
import { translateViolations } from '#backend/platform/database/violation.ts'
import { business, forbidden, invalid, orNotFound } from '#backend/platform/errors.ts'
import { rejectStaleVersion } from '#backend/platform/http/if-match.ts'
import { bySelf, recordEvent } from '#backend/core/events/events.ts'
import { allowanceOf, heldBenefits, lockActor } from '#backend/core/users/users.ts'

export interface GroupWithServers extends GroupRow {
  readonly servers: readonly { readonly public_id: string; readonly name: string }[]
}

/** An owner's groups with their servers, oldest first. */
export async function listGroups(db: Db, ownerId: string): Promise<GroupWithServers[]> {
  const groups = await listGroupsOf(db, ownerId)
  const servers = Map.groupBy(await listGroupedServersOf(db, ownerId), (server) => server.group_id)
  return groups.map((group) => ({ ...group, servers: servers.get(group.id) ?? [] }))
}

/** Locks one of the owner's groups, so that a server can be added to it. Throws `invalid` if the owner has no such group. */
export async function lockGroupForServer(trx: Db, ownerId: string, groupId: string): Promise<void> {
  const group = isUuid(groupId) ? await lockGroupForShare(trx, ownerId, groupId) : undefined
  if (group === undefined) throw invalid('GROUP_CHOICE_NOT_FOUND').inField('group_id')
}

/** Throws `forbidden` without the benefit or at the owner's limit, and a business conflict if the name is taken. */
export function createGroup(db: Db, ownerId: string, { name }: GroupInput): Promise<GroupWithServers> {
  const create = async (trx: Db) => {
    const owner = await lockActor(trx, ownerId, 'update')
    if (!(await heldBenefits(trx, owner)).has('MASTERLIST_GROUPS'))
      throw forbidden('BENEFIT_NOT_HELD', { benefit: BENEFITS.MASTERLIST_GROUPS.name() })
    const max = allowanceOf(owner).groups
    if ((await listGroupsOf(trx, ownerId)).length >= max) throw forbidden('GROUP_LIMIT_REACHED', { count: max })
    const values = { id: uuidv7(), owner_id: ownerId, name }
    const group = await trx.insertInto('server_groups').values(values).returningAll().executeTakeFirstOrThrow()
    await recordEvent(trx, { action: 'GROUP_CREATED', ...bySelf(ownerId), after: { name } })
    return { ...group, servers: [] }
  }
  return translateNameViolation(() => transaction(db, create))
}

/**
 * Does nothing if the name stays the same.
 * @param ifMatch the version that the change is based on. Throws `VersionConflict` if it is stale.
 */
export function renameGroup(
  db: Db,
  ownerId: string,
  id: string,
  { name }: GroupInput,
  ifMatch: number | undefined,
): Promise<GroupWithServers> {
  const rename = async (trx: Db) => {
    await lockActor(trx, ownerId, 'share')
    const group = await lockOwnGroup(trx, ownerId, id)
    const servers = (await listGroupedServersOf(trx, ownerId)).filter((server) => server.group_id === id)
    rejectStaleVersion(ifMatch, group.version, { ...group, servers })
    if (group.name === name) return { ...group, servers }
    const renamed = await trx.updateTable('server_groups').set({ name }).where('id', '=', id).returningAll().executeTakeFirstOrThrow()
    const changed = { before: { name: group.name }, after: { name }, servers: servers.map((server) => server.public_id) }
    await recordEvent(trx, { action: 'GROUP_RENAMED', ...bySelf(ownerId), ...changed })
    return { ...renamed, servers }
  }
  return translateNameViolation(() => transaction(db, rename))
}

/** Deletes a group. Locking the owner prevents servers from being added in the meantime. */
export function removeGroup(db: Db, ownerId: string, id: string): Promise<void> {
  return transaction(db, async (trx) => {
    await lockActor(trx, ownerId, 'update')
    const group = await lockOwnGroup(trx, ownerId, id)
    const servers = await lockServersIn(trx, id)
    // Its servers stay: the foreign key clears their group.
    await trx.deleteFrom('server_groups').where('id', '=', id).execute()
    await recordEvent(trx, { action: 'GROUP_DELETED', ...bySelf(ownerId), before: { name: group.name }, servers })
  })
}

async function lockOwnGroup(trx: Db, ownerId: string, id: string): Promise<GroupRow> {
  return orNotFound(isUuid(id) ? await lockGroupForUpdate(trx, ownerId, id) : undefined, 'GROUP_NOT_FOUND')
}

function translateNameViolation<T>(act: () => Promise<T>): Promise<T> {
  return translateViolations(act, {
    server_groups_name_key: () => business('NAME_ALREADY_EXISTS', 'GROUP_NAME_TAKEN').inField('name'),
  })
}

type GroupRow = Awaited<ReturnType<typeof listGroupsOf>>[number]

export function listGroupsOf(db: Db, ownerId: string) {
  return db.selectFrom('server_groups').selectAll().where('owner_id', '=', ownerId).orderBy('created_at').orderBy('id').execute()
}

/** The owner's servers that are in a group, oldest first. */
function listGroupedServersOf(db: Db, ownerId: string) {
  return db
    .selectFrom('servers')
    .select(['public_id', 'name', 'group_id'])
    .where('owner_id', '=', ownerId)
    .where('group_id', 'is not', null)
    .orderBy('created_at')
    .orderBy('public_id')
    .execute()
}
