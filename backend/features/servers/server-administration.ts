/** What administrators do with servers, whosever they are. Each rule holds the administrator, the owner and the server, in this order. */
import type { AdminServerChanges } from '#contract/servers-admin.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import { BY_SYSTEM } from '#backend/features/events/events.ts'
import { endOfBan } from '#backend/features/users/ban-end.ts'
import { holdForAdmin } from '#backend/features/users/administration.ts'
import type { UserRow } from '#backend/features/users/users.ts'
import { banAgain, setBan } from './ban.ts'
import { refusingTaken } from './fields.ts'
import { isPublicId, noServer } from './holding.ts'
import { changeHeld, resetHeld } from './server-changes.ts'
import { findBanOfAddress, listWithBannedAddress } from './remembered-bans.ts'
import { findServers, lockServer, removeHeld } from './servers.ts'
import { type ServerRow, listEndedServerBans, lockServerWithEndedBan } from './servers.queries.ts'

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

/** Changes a server. A promotion moves from another one. */
export function changeAnyServer(db: Db, adminId: string, publicId: string, changes: AdminServerChanges) {
  return refusingTaken(() =>
    withServer(db, adminId, publicId, (trx, held) => changeHeld(trx, { ...held, as: 'administrator' }, adminId, changes)),
  )
}

/** Removes a server. */
export function removeAnyServer(db: Db, adminId: string, publicId: string) {
  return withServer(db, adminId, publicId, (trx, { row }) => removeHeld(trx, row, { as: 'administrator', actorId: adminId }))
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

/** Lifts the ban of a server that is over. Does nothing where it was lifted meanwhile, or got another end. */
export function liftServerBan(db: Db, publicId: string): Promise<void> {
  return transaction(db, async (trx) => {
    const row = await lockServerWithEndedBan(trx, publicId)
    if (row !== undefined) await setBan(trx, row, { banned: false, ban_reason: null, banned_until: null }, BY_SYSTEM)
  })
}

/** Servers whose ban is over. @param except those that could not be lifted a moment ago. */
export function endedServerBans(db: Db, except: readonly string[]): Promise<string[]> {
  return listEndedServerBans(db, except)
}

/** Servers whose owner had a banned one at the same address and deleted it. */
export function serversToBanAgain(db: Db): Promise<string[]> {
  return listWithBannedAddress(db)
}

/** Bans such a server as the deleted one was. Does nothing where it is banned already, or gone. */
export function banForAddress(db: Db, publicId: string): Promise<void> {
  return transaction(db, async (trx) => {
    const [found] = await findServers(trx, [publicId])
    const row = found && (await lockServer(trx, found.owner_id, publicId))
    if (row !== undefined) await banAgain(trx, row, await findBanOfAddress(trx, publicId, row.owner_id))
  })
}
