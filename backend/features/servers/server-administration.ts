/** What administrators do with servers, whosever they are. Each rule holds the administrator, the owner and the server, in this order. */
import { sql } from 'kysely'
import type { AdminServerChanges } from '#contract/servers-admin.ts'
import type { Db } from '#backend/database/open.ts'
import { transaction } from '#backend/database/transaction.ts'
import { differences, record } from '#backend/features/activity/activity.ts'
import { endOfBan } from '#backend/features/users/ban-end.ts'
import { holdForAdmin } from '#backend/features/users/administration.ts'
import type { UserRow } from '#backend/features/users/users.ts'
import { refusingTaken } from './fields.ts'
import { isPublicId, noServer } from './holding.ts'
import { changeHeld, resetHeld } from './server-changes.ts'
import { findServers, lockServer, removeHeld } from './servers.ts'
import { type ServerRow, listEndedServerBans, lockServerWithEndedBan, updateServer } from './servers.queries.ts'

/** A server that changes hands while it is being looked for is looked for again. */
const TRIES = 3

interface HeldForAdmin {
  readonly owner: UserRow
  readonly row: ServerRow
}

/** One server, whosever it is. Throws `not-found`. */
export async function getAnyServer(db: Db, publicId: string): Promise<ServerRow> {
  const [row] = isPublicId(publicId) ? await findServers(db, [publicId]) : []
  if (row === undefined) throw noServer()
  return row
}

/** Runs the act in a transaction that holds all three. Nothing of a try that met a hand-over is kept. */
async function withServer<T>(db: Db, adminId: string, publicId: string, act: (trx: Db, held: HeldForAdmin) => Promise<T>): Promise<T> {
  for (let tries = 1; tries <= TRIES; tries += 1) {
    const { owner_id: ownerId } = await getAnyServer(db, publicId)
    const done = await transaction(db, async (trx) => {
      const owner = await holdForAdmin(trx, adminId, ownerId)
      const row = await lockServer(trx, ownerId, publicId)
      return row === undefined ? undefined : { result: await act(trx, { owner, row }) }
    })
    if (done !== undefined) return done.result
  }
  throw noServer()
}

/** Changes a server. Answers the row and which other servers changed with it (a promotion moves). */
export function changeAnyServer(db: Db, adminId: string, publicId: string, changes: AdminServerChanges) {
  return refusingTaken(() =>
    withServer(db, adminId, publicId, (trx, held) => changeHeld(trx, { ...held, as: 'administrator' }, adminId, changes)),
  )
}

/** Removes a server. Answers whose it was and to whom it was on offer, if it was. */
export function removeAnyServer(db: Db, adminId: string, publicId: string) {
  return withServer(db, adminId, publicId, async (trx, { row }) => ({
    ...(await removeHeld(trx, row, { as: 'administrator', actorId: adminId })),
    ownerId: row.owner_id,
  }))
}

/** Forgets the bound address; the next announce binds anew. */
export function resetAnyAddress(db: Db, adminId: string, publicId: string): Promise<ServerRow> {
  return withServer(db, adminId, publicId, async (trx, { row }) => {
    await resetHeld(trx, row, { as: 'administrator', actorId: adminId })
    return row
  })
}

interface BanInput {
  readonly banned: boolean
  readonly reason?: string | undefined
  readonly banned_until?: string | null | undefined
}

/** Bans a server, or takes a ban back. Banning again keeps the reason and the end that are not given anew. */
export function banServer(db: Db, adminId: string, publicId: string, input: BanInput): Promise<ServerRow> {
  return withServer(db, adminId, publicId, async (trx, { row }) => {
    const said = input.reason ?? row.ban_reason ?? ''
    const next = {
      banned: input.banned,
      ban_reason: input.banned && said !== '' ? said : null,
      banned_until: input.banned ? await endOfBan(trx, input.banned_until, row) : null,
    }
    return setBan(trx, row, next, { as: 'administrator', actorId: adminId })
  })
}

type Ban = Pick<ServerRow, 'banned' | 'ban_reason' | 'banned_until'>

async function setBan(
  trx: Db,
  row: ServerRow,
  next: Ban,
  by: { readonly as: 'administrator' | 'system'; readonly actorId: string | null },
): Promise<ServerRow> {
  const before: Ban = { banned: row.banned, ban_reason: row.ban_reason, banned_until: row.banned_until }
  const changed = differences(before, { ...next })
  if (changed === undefined) return row
  const updated = await updateServer(trx, row.public_id, { ...next, banned_at: next.banned ? sql<Date>`coalesce(banned_at, now())` : null })
  const action = next.banned ? 'SERVER_BANNED' : 'SERVER_UNBANNED'
  await record(trx, { action, ...by, ownerId: row.owner_id, server: row, ...changed })
  return updated
}

/** Lifts the ban of a server that is over. Answers whose it is; undefined where somebody else lifted it, or gave it another end. */
export function liftServerBan(db: Db, publicId: string): Promise<string | undefined> {
  return transaction(db, async (trx) => {
    const row = await lockServerWithEndedBan(trx, publicId)
    if (row === undefined) return undefined
    await setBan(trx, row, { banned: false, ban_reason: null, banned_until: null }, { as: 'system', actorId: null })
    return row.owner_id
  })
}

/** Servers whose ban is over. @param except those that could not be lifted a moment ago. */
export function endedServerBans(db: Db, except: readonly string[]): Promise<string[]> {
  return listEndedServerBans(db, except)
}
