/** Decides who may act on which server. The rows that it reads stay locked until the transaction ends. */
import { type LockMode, lockPermissions, lockServer, lockServerOrDeleted, lockUsers } from '#backend/platform/database/lock-order.ts'
import { PERMISSIONS, type Permission } from '#contract/servers/permissions.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import { isUuid } from '#backend/platform/database/uuid.ts'
import { forbidden, notFound, orNotFound } from '#backend/platform/errors.ts'
import { lockUserForAdmin } from '#backend/core/users/administration.ts'
import { type UserRow, requireActor } from '#backend/core/users/users.ts'
import { type ServerRow, findOwnerId, findServers } from './servers.queries.ts'
import { joinNames } from '#backend/platform/messages/sentence.ts'

const serverNotFound = () => notFound('SERVER_NOT_FOUND')

export const isPublicId = (text: string) => /^[0-9A-Za-z]{7}$/.test(text)

interface ServerActor<As extends 'self' | 'manager' | 'administrator', OwnerId extends string | null> {
  readonly as: As
  readonly actorId: string
  readonly ownerId: OwnerId
  readonly publicId: string
}

export type Owner = ServerActor<'self', string>
export type Manager = ServerActor<'manager', string>
export type Administrator = ServerActor<'administrator', null>

export const asOwner = (userId: string, publicId: string): Owner => ({ as: 'self', actorId: userId, ownerId: userId, publicId })
export const asAdministrator = (adminId: string, publicId: string): Administrator => ({
  as: 'administrator',
  actorId: adminId,
  ownerId: null,
  publicId,
})

/** A server that is locked together with its owner and the acting user. */
export interface LockedServer {
  readonly as: 'self' | 'manager' | 'administrator'
  readonly actorId: string
  /** A manager's permissions. Empty for owners and administrators, who need none. */
  readonly permissions: readonly string[]
  readonly owner: UserRow
  readonly row: ServerRow
  /** In the bin; only with `includesDeleted`. */
  readonly isDeleted: boolean
}

interface AccessOptions {
  readonly requiredPermissions?: readonly Permission[]
  /** `update` serializes calls that count against the owner's limits. Administrators always lock with `update`. */
  readonly lockMode?: LockMode
  /** Deleted servers are not found otherwise. */
  readonly includesDeleted?: boolean
}

/** An administrator's call looks up the server again if its owner changed between lookup and lock. */
const MAX_ATTEMPTS = 3

/**
 * Runs `act` in a transaction that locks the users, the manager's grant and the server. Throws `not-found` if the actor neither owns,
 * manages nor administers the server. Throws `forbidden` if a manager lacks a required permission.
 */
export async function withLockedServer<T>(
  db: Db,
  actor: Owner | Manager | Administrator,
  { requiredPermissions = [], lockMode = 'share', includesDeleted = false }: AccessOptions,
  act: (trx: Db, server: LockedServer) => Promise<T>,
): Promise<T> {
  const { as, actorId, publicId } = actor
  const lock = includesDeleted ? lockServerOrDeleted : lockServer
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const ownerId = actor.ownerId ?? (await getOwnerId(db, publicId))
    const completed = await transaction(db, async (trx) => {
      const people = await lockActors(trx, as, actorId, ownerId, lockMode)
      const row = isPublicId(publicId) ? await lock(trx, ownerId, publicId) : undefined
      if (row === undefined) return undefined
      if (as === 'manager') rejectWithoutPermission(people.permissions, requiredPermissions)
      const isDeleted = 'deleted_at' in row && row.deleted_at !== null
      return { result: await act(trx, { as, actorId, ...people, row, isDeleted }) }
    })
    if (completed !== undefined) return completed.result
    if (as !== 'administrator') break
  }
  throw serverNotFound()
}

async function lockActors(
  trx: Db,
  as: LockedServer['as'],
  actorId: string,
  ownerId: string,
  lockMode: LockMode,
): Promise<Pick<LockedServer, 'owner' | 'permissions'>> {
  if (as === 'administrator') return { owner: await lockUserForAdmin(trx, actorId, ownerId), permissions: [] }
  if (!isUuid(ownerId) || (as === 'self') !== (actorId === ownerId)) throw serverNotFound()
  const people = await lockUsers(trx, { [actorId]: 'share', [ownerId]: lockMode })
  requireActor(people, actorId)
  const permissions = as === 'self' ? [] : await lockPermissions(trx, ownerId, actorId)
  const owner = people.get(ownerId)
  if (owner === undefined || permissions === undefined) throw serverNotFound()
  return { owner, permissions }
}

function rejectWithoutPermission(permissions: readonly string[], required: readonly Permission[]): void {
  const missing = required.filter((permission) => !permissions.includes(permission))
  if (missing.length === 0) return
  const names = joinNames(missing.map((permission) => `"${PERMISSIONS[permission].name()}"`))
  throw forbidden('PERMISSION_NOT_GRANTED_FOR_SERVER', { permissions: names })
}

async function getOwnerId(db: Db, publicId: string): Promise<string> {
  return orNotFound(isPublicId(publicId) ? await findOwnerId(db, publicId) : undefined, 'SERVER_NOT_FOUND')
}

export async function getAnyServer(db: Db, publicId: string): Promise<ServerRow> {
  const [row] = isPublicId(publicId) ? await findServers(db, [publicId]) : []
  return requireServer(row)
}

/** @param field the field of the body that names the server */
export const requireServer = <Row extends ServerRow>(row: Row | undefined, field?: string): Row =>
  orNotFound(row, 'SERVER_NOT_FOUND', field)
