/**
 * Groups: an owner's servers under one name on the list. Making one needs the benefit and a free place in the owner's limit; to rename or
 * delete what is there needs neither, so that a lapsed benefit locks nobody in. After a commit the route tells the master list.
 */
import { v7 as uuidv7 } from 'uuid'
import { BENEFITS } from '#contract/benefits.ts'
import type { GroupInput } from '#contract/groups.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import { isUuid } from '#backend/platform/database/uuid.ts'
import { isViolation } from '#backend/platform/database/violation.ts'
import { business, forbidden, invalid, notFound } from '#backend/platform/errors.ts'
import { recordEvent } from '#backend/features/events/events.ts'
import { allowanceOf, heldBenefits, lockActor } from '#backend/features/users/users.ts'
import {
  type GroupRow,
  countGroupsOf,
  deleteGroupRow,
  holdGroupOf,
  insertGroup,
  listGroupedServersOf,
  listGroupsOf,
  lockGroupOf,
  lockServersIn,
  renameGroupRow,
} from './groups.queries.ts'

/** A group with the servers that are in it. */
export interface GroupWithServers extends GroupRow {
  readonly servers: readonly { readonly public_id: string; readonly name: string }[]
}

/** A person's groups with their servers, oldest first. */
export async function listGroups(db: Db, ownerId: string): Promise<GroupWithServers[]> {
  const groups = await listGroupsOf(db, ownerId)
  const servers = Map.groupBy(await listGroupedServersOf(db, ownerId), (server) => server.group_id)
  return groups.map((group) => ({ ...group, servers: servers.get(group.id) ?? [] }))
}

/** The names of a person's groups, oldest first: what a server can be put in. */
export async function groupsOf(db: Db, ownerId: string): Promise<{ id: string; name: string }[]> {
  return (await listGroupsOf(db, ownerId)).map(({ id, name }) => ({ id, name }))
}

/**
 * Holds one of the owner's groups until the transaction ends, so that a server can be put in it, and answers its id. Throws `invalid` where
 * he has no such group.
 */
export async function groupOf(trx: Db, ownerId: string, groupId: string): Promise<string> {
  const group = isUuid(groupId) ? await holdGroupOf(trx, ownerId, groupId) : undefined
  if (group === undefined) throw invalid('Group: there is no such group. Choose another one.')
  return group.id
}

/** Makes a group inside its owner's limit. Throws `forbidden` without the benefit or the room, `conflict` where the name is taken. */
export function createGroup(db: Db, ownerId: string, { name }: GroupInput): Promise<GroupRow> {
  return refusingTaken(() =>
    transaction(db, async (trx) => {
      const owner = await lockActor(trx, ownerId, 'update')
      if (!(await heldBenefits(trx, owner)).has('MASTERLIST_GROUPS')) {
        throw forbidden(`This needs the benefit ${BENEFITS.MASTERLIST_GROUPS.name}, which you do not have.`)
      }
      const most = allowanceOf(owner).groups
      if ((await countGroupsOf(trx, ownerId)) >= most) throw forbidden(`You have reached your limit of ${most} groups.`)
      const row = await insertGroup(trx, { id: uuidv7(), owner_id: ownerId, name })
      await recordEvent(trx, { action: 'GROUP_CREATED', as: 'self', actorId: ownerId, ownerId, after: { name } })
      return row
    }),
  )
}

/** Renames a group. The name that it has already changes nothing. */
export function renameGroup(db: Db, ownerId: string, id: string, { name }: GroupInput): Promise<GroupWithServers> {
  return refusingTaken(() =>
    transaction(db, async (trx) => {
      await lockActor(trx, ownerId, 'share')
      const group = await mustLock(trx, ownerId, id)
      const servers = (await listGroupedServersOf(trx, ownerId)).filter((server) => server.group_id === id)
      if (group.name === name) return { ...group, servers }
      await renameGroupRow(trx, id, name)
      const common = { action: 'GROUP_RENAMED', as: 'self', actorId: ownerId, ownerId } as const
      await recordEvent(trx, { ...common, before: { name: group.name }, after: { name }, servers: servers.map((one) => one.public_id) })
      return { ...group, name, servers }
    }),
  )
}

/** Deletes a group. The owner is held so that no server comes to it meanwhile. */
export function removeGroup(db: Db, ownerId: string, id: string): Promise<void> {
  return transaction(db, async (trx) => {
    await lockActor(trx, ownerId, 'update')
    const group = await mustLock(trx, ownerId, id)
    const servers = await lockServersIn(trx, id)
    await deleteGroupRow(trx, id)
    await recordEvent(trx, { action: 'GROUP_DELETED', as: 'self', actorId: ownerId, ownerId, before: { name: group.name }, servers })
  })
}

async function mustLock(trx: Db, ownerId: string, id: string): Promise<GroupRow> {
  const group = isUuid(id) ? await lockGroupOf(trx, ownerId, id) : undefined
  if (group === undefined) throw noGroup()
  return group
}

const noGroup = () => notFound('group')

/** The database is the referee of what is unique; its word is put into ours. */
async function refusingTaken<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (isViolation(error, 'server_groups_name_key')) {
      throw business('NAME_ALREADY_EXISTS', 'Another group of yours has this name. Choose a different name.')
    }
    throw error
  }
}
