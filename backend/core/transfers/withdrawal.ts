/** Removes offers that expire, or whose server is deleted, or whose user is banned or erased. */
import { sql } from 'kysely'
import type { Db } from '#backend/platform/database/open.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import { BY_SYSTEM, type EventActor, recordEvent } from '#backend/core/events/events.ts'
import { isOpen } from './transfers.queries.ts'

/** Add a condition. Each deleted row is returned to one transaction only. */
const deleteTransfers = (trx: Db) =>
  trx
    .deleteFrom('transfers')
    .using('servers')
    .whereRef('servers.public_id', '=', 'transfers.server_id')
    .returning(['transfers.from_user_id', 'transfers.to_user_id', 'servers.public_id', 'servers.name', isOpen.as('was_open')])

/** An expired offer is recorded as expired, whatever deleted it. */
async function withdraw(trx: Db, transfers: ReturnType<typeof deleteTransfers>, by: EventActor): Promise<void> {
  const events = (await transfers.execute()).map((offer) => ({
    ...(offer.was_open ? ({ action: 'TRANSFER_CANCELLED', ...by } as const) : ({ action: 'TRANSFER_LAPSED', ...BY_SYSTEM } as const)),
    ownerId: offer.from_user_id,
    otherId: offer.to_user_id,
    server: offer,
  }))
  await recordEvent(trx, ...events)
}

/** Job: deletes expired offers. */
export function expireTransfers({ db }: { readonly db: Db }): Promise<void> {
  return transaction(db, (trx) => expireTransfersIn(trx))
}

/** Deletes the expired offer of one locked server, or all expired offers. */
export function expireTransfersIn(trx: Db, publicId?: string): Promise<void> {
  const expired = deleteTransfers(trx).where('transfers.expires_at', '<=', sql<Date>`now()`)
  return withdraw(trx, publicId === undefined ? expired : expired.where('transfers.server_id', '=', publicId), BY_SYSTEM)
}

/** Withdraws every offer from and to a locked user who is banned or erased. */
export function withdrawTransfersOf(trx: Db, userId: string, by: EventActor): Promise<void> {
  return withdraw(
    trx,
    deleteTransfers(trx).where((q) => q.or([q('from_user_id', '=', userId), q('to_user_id', '=', userId)])),
    by,
  )
}

export function withdrawTransferOfServer(trx: Db, publicId: string, by: EventActor): Promise<void> {
  return withdraw(trx, deleteTransfers(trx).where('transfers.server_id', '=', publicId), by)
}
