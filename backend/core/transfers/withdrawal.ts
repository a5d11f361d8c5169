/** Removes offers that expire, or whose server is deleted, or whose user is banned or erased. */
import type { Db } from '#backend/platform/database/open.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import { BY_SYSTEM, type EventActor, type DomainEvent, recordEvent } from '#backend/core/events/events.ts'
import { type RemovedTransfer, deleteTransferOfServer, deleteTransfersOf, deleteExpiredTransfers } from './transfers.queries.ts'

const expiredEvent = (offer: RemovedTransfer): DomainEvent => ({
  action: 'TRANSFER_LAPSED',
  ...BY_SYSTEM,
  ownerId: offer.from_user_id,
  otherId: offer.to_user_id,
  server: offer,
})

/** An expired offer is recorded as expired, whatever deleted it. */
const withdrawnEvent = (offer: RemovedTransfer, by: EventActor): DomainEvent => ({
  ...expiredEvent(offer),
  ...(offer.was_open && { action: 'TRANSFER_CANCELLED', ...by }),
})

/** Job: deletes expired offers. */
export function expireTransfers({ db }: { readonly db: Db }): Promise<void> {
  return transaction(db, (trx) => expireTransfersIn(trx))
}

/** Deletes the expired offer of one locked server, or all expired offers. */
export async function expireTransfersIn(trx: Db, publicId?: string): Promise<void> {
  const removed = await deleteExpiredTransfers(trx, publicId)
  await recordEvent(trx, ...removed.map(expiredEvent))
}

/** Withdraws every offer from and to a locked user who is banned or erased. */
export async function withdrawTransfersOf(trx: Db, userId: string, by: EventActor): Promise<void> {
  const removed = await deleteTransfersOf(trx, userId)
  await recordEvent(trx, ...removed.map((offer) => withdrawnEvent(offer, by)))
}

export async function withdrawTransferOfServer(trx: Db, publicId: string, by: EventActor): Promise<void> {
  const removed = await deleteTransferOfServer(trx, publicId)
  if (removed !== undefined) await recordEvent(trx, withdrawnEvent(removed, by))
}
