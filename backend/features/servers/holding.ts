/** Who acts on whose server, and with what right: decided on rows that are held until the transaction ends. */
import { PERMISSIONS, type Permission } from '#contract/permissions.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { isUuid } from '#backend/platform/database/uuid.ts'
import { forbidden, notFound } from '#backend/platform/errors.ts'
import { type UserRow, actorOf, lockPeople } from '#backend/features/users/users.ts'
import { type ServerRow, lockPermissions, lockServerOf } from './servers.queries.ts'

const PUBLIC_ID = /^[0-9A-Za-z]{7}$/

export const noServer = () => notFound('server')

export function isPublicId(text: string): boolean {
  return PUBLIC_ID.test(text)
}

/** The owner himself (`ownerId` is `userId`), or somebody who manages for him. */
export interface Acting {
  readonly userId: string
  readonly ownerId: string
  readonly publicId: string
}

export const ownServer = (userId: string, publicId: string): Acting => ({ userId, ownerId: userId, publicId })

export interface Held {
  readonly as: 'self' | 'manager'
  /** What a manager may do; empty for the owner, who needs none. */
  readonly permissions: readonly string[]
  readonly owner: UserRow
  readonly row: ServerRow
}

/**
 * Holds the people, the grant and the server. What the actor neither owns nor manages does not exist; what his permissions leave out
 * is forbidden. @param needs what a manager must be permitted. @param how `update` lines up calls that count against the owner's limits.
 */
export async function holdServer(
  trx: Db,
  { userId, ownerId, publicId }: Acting,
  needs: readonly Permission[],
  how: 'update' | 'share' = 'share',
): Promise<Held> {
  const isOwn = userId === ownerId
  if (!isUuid(ownerId)) throw noServer()
  const people = await lockPeople(trx, { id: ownerId, how }, ...(isOwn ? [] : [{ id: userId, how: 'share' } as const]))
  actorOf(people, userId)
  const permissions = isOwn ? undefined : await lockPermissions(trx, ownerId, userId)
  const owner = people.get(ownerId)
  if (owner === undefined || (!isOwn && permissions === undefined)) throw noServer()
  const row = await holdServerOf(trx, ownerId, publicId)
  if (permissions !== undefined) refuseBeyond(permissions, needs)
  return { as: isOwn ? 'self' : 'manager', permissions: permissions ?? [], owner, row }
}

/** Holds a server of somebody who is held. */
export async function holdServerOf(trx: Db, ownerId: string, publicId: string): Promise<ServerRow> {
  const row = isPublicId(publicId) ? await lockServerOf(trx, ownerId, publicId) : undefined
  if (row === undefined) throw noServer()
  return row
}

function refuseBeyond(permissions: readonly string[], needs: readonly Permission[]): void {
  const missing = needs.filter((need) => !permissions.includes(need))
  if (missing.length === 0) return
  const names = missing.map((need) => `"${PERMISSIONS[need].name}"`).join(' and ')
  throw forbidden(`This needs the permission ${names}, which the owner of this server has not given you.`)
}
