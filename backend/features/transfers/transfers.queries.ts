import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { TRANSFER_DAYS } from '#contract/transfers.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { appliesToServer } from '#backend/features/benefits/settings-scope.ts'

const isOpen = sql<boolean>`transfers.expires_at > now()`

/** Whether the sender's settings of a benefit (banner, join background, launcher) are for the server: they stay behind. */
const hasBenefitSettings = sql<boolean>`exists (
  select from benefit_settings b where b.user_id = transfers.from_user_id and ${appliesToServer('transfers.server_id')})`

export type TransferRow = Awaited<ReturnType<typeof listTransfersOf>>[number]

/** An offer ends with the account of a sender who leaves. */
const endsAt = sql<Date>`least(transfers.expires_at, sender.delete_at)`

function openTransfers(db: Db) {
  return db
    .selectFrom('transfers')
    .innerJoin('servers', 'servers.public_id', 'transfers.server_id')
    .innerJoin('users as sender', 'sender.id', 'transfers.from_user_id')
    .selectAll('transfers')
    .select([endsAt.as('ends_at'), hasBenefitSettings.as('dressed')])
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

/** Ends an offer that is still open; false where somebody else ended it first. */
export async function deleteOpenTransfer(trx: Db, id: string): Promise<boolean> {
  const { numDeletedRows } = await trx.deleteFrom('transfers').where('id', '=', id).where(isOpen).executeTakeFirst()
  return numDeletedRows === 1n
}

function deleteReturningServer(trx: Db) {
  return trx
    .deleteFrom('transfers')
    .using('servers')
    .whereRef('servers.public_id', '=', 'transfers.server_id')
    .returning(['transfers.from_user_id', 'transfers.to_user_id', 'servers.public_id', 'servers.name', isOpen.as('stood')])
}

/** An offer that was removed: who was in it, which server, and whether its time was not over. */
export type RemovedTransfer = Awaited<ReturnType<typeof deleteTransfersOf>>[number]

/** Removes every offer from or to this person, and answers which of them still stood. */
export function deleteTransfersOf(trx: Db, userId: string) {
  return deleteReturningServer(trx)
    .where((q) => q.or([q('from_user_id', '=', userId), q('to_user_id', '=', userId)]))
    .execute()
}

/** The same of one server, which has one offer at most. */
export function deleteTransferOfServer(trx: Db, publicId: string) {
  return deleteReturningServer(trx).where('transfers.server_id', '=', publicId).executeTakeFirst()
}

/** Removes what lapsed, of one server or of all. Each row is removed by one node only. */
export function deleteLapsedTransfers(trx: Db, serverId?: string) {
  const lapsed = deleteReturningServer(trx).where('transfers.expires_at', '<=', sql<Date>`now()`)
  return (serverId === undefined ? lapsed : lapsed.where('transfers.server_id', '=', serverId)).execute()
}
