import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { TRANSFER_DAYS } from '#contract/servers/transfers.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { appliesToServer } from '#backend/core/benefits/settings-scope.ts'

const isOpen = sql<boolean>`transfers.expires_at > now()`

/** Whether benefit settings of the sender (banner, join background, launcher) apply to the server. They stay with the sender. */
const hasBenefitSettings = sql<boolean>`exists (
  select from benefit_settings b where b.user_id = transfers.from_user_id and ${appliesToServer('transfers.server_id')})`

export type TransferRow = Awaited<ReturnType<typeof listTransfersOf>>[number]

/** An offer expires at the latest when the sender's account is erased. */
const endsAt = sql<Date>`least(transfers.expires_at, sender.delete_at)`

function openTransfers(db: Db) {
  return db
    .selectFrom('transfers')
    .innerJoin('servers', 'servers.public_id', 'transfers.server_id')
    .innerJoin('users as sender', 'sender.id', 'transfers.from_user_id')
    .selectAll('transfers')
    .select([endsAt.as('ends_at'), hasBenefitSettings.as('has_benefit_settings')])
    .select(['servers.name', 'servers.vanity_url', 'servers.promoted', 'servers.banned', 'servers.group_id', 'servers.icon_image_id'])
    .where(isOpen)
}

export function listTransfersOf(db: Db, userId: string) {
  return openTransfers(db)
    .where((q) => q.or([q('from_user_id', '=', userId), q('to_user_id', '=', userId)]))
    .orderBy('transfers.created_at')
    .orderBy('transfers.id')
    .execute()
}

export function findTransfer(db: Db, id: string) {
  return openTransfers(db).where('transfers.id', '=', id).executeTakeFirst()
}

export async function insertTransfer(trx: Db, offer: { serverId: string; from: string; to: string }): Promise<string> {
  const expires = sql<Date>`now() + make_interval(days => ${TRANSFER_DAYS})`
  const id = uuidv7()
  const row = { id, server_id: offer.serverId, from_user_id: offer.from, to_user_id: offer.to, expires_at: expires }
  await trx.insertInto('transfers').values(row).execute()
  return id
}

/** False if the offer is no longer open. */
export async function deleteOpenTransfer(trx: Db, id: string): Promise<boolean> {
  const { numDeletedRows } = await trx.deleteFrom('transfers').where('id', '=', id).where(isOpen).executeTakeFirst()
  return numDeletedRows === 1n
}

function deleteReturningServer(trx: Db) {
  return trx
    .deleteFrom('transfers')
    .using('servers')
    .whereRef('servers.public_id', '=', 'transfers.server_id')
    .returning(['transfers.from_user_id', 'transfers.to_user_id', 'servers.public_id', 'servers.name', isOpen.as('was_open')])
}

export type RemovedTransfer = Awaited<ReturnType<typeof deleteTransfersOf>>[number]

/** Deletes every offer from or to this user. */
export function deleteTransfersOf(trx: Db, userId: string) {
  return deleteReturningServer(trx)
    .where((q) => q.or([q('from_user_id', '=', userId), q('to_user_id', '=', userId)]))
    .execute()
}

/** Deletes the offer of a server, which has at most one. */
export function deleteTransferOfServer(trx: Db, publicId: string) {
  return deleteReturningServer(trx).where('transfers.server_id', '=', publicId).executeTakeFirst()
}

/** Deletes expired offers of one server, or of all servers. If several nodes run this at once, each row is returned to one of them. */
export function deleteExpiredTransfers(trx: Db, serverId?: string) {
  const expired = deleteReturningServer(trx).where('transfers.expires_at', '<=', sql<Date>`now()`)
  return (serverId === undefined ? expired : expired.where('transfers.server_id', '=', serverId)).execute()
}
