/** Ends offers without an answer: they lapse, or are withdrawn when a user or the server goes. */
import type { Db } from '#backend/platform/database/open.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import { BY_SYSTEM, type EventActor, type DomainEvent, recordEvent } from '#backend/features/events/events.ts'
import { type RemovedTransfer, deleteTransferOfServer, deleteTransfersOf, deleteLapsedTransfers } from './transfers.queries.ts'

const lapsedEvent = (offer: RemovedTransfer): DomainEvent => ({
  action: 'TRANSFER_LAPSED',
  ...BY_SYSTEM,
  ownerId: offer.from_user_id,
  otherId: offer.to_user_id,
  server: offer,
})

/** An expired offer counts as lapsed, whatever deleted it. */
const withdrawnEvent = (offer: RemovedTransfer, by: EventActor): DomainEvent => ({
  ...lapsedEvent(offer),
  ...(offer.was_open && { action: 'TRANSFER_CANCELLED', ...by }),
})

/** Job: deletes lapsed offers. */
export function lapseTransfers({ db }: { readonly db: Db }): Promise<void> {
  return transaction(db, (trx) => lapseTransfersIn(trx))
}

/** Deletes the lapsed offer of one locked server, or all lapsed offers. */
export async function lapseTransfersIn(trx: Db, publicId?: string): Promise<void> {
  const ended = await deleteLapsedTransfers(trx, publicId)
  await recordEvent(trx, ...ended.map(lapsedEvent))
}

/** Withdraws every offer from and to a locked user who is banned or erased. */
export async function withdrawTransfersOf(trx: Db, userId: string, by: EventActor): Promise<void> {
  const ended = await deleteTransfersOf(trx, userId)
  await recordEvent(trx, ...ended.map((offer) => withdrawnEvent(offer, by)))
}

export async function withdrawTransferOfServer(trx: Db, publicId: string, by: EventActor): Promise<void> {
  const ended = await deleteTransferOfServer(trx, publicId)
  if (ended !== undefined) await recordEvent(trx, withdrawnEvent(ended, by))
}
