/** How offers end that nobody answered: they lapse, or are withdrawn with a person or with their server. */
import type { Db } from '#backend/platform/database/open.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import { BY_SYSTEM, type EventActor, type DomainEvent, recordEvent } from '#backend/features/events/events.ts'
import { type RemovedTransfer, deleteTransferOfServer, deleteTransfersOf, deleteLapsedTransfers } from './transfers.queries.ts'

const lapsedEvent = (server: RemovedTransfer): DomainEvent => ({
  action: 'TRANSFER_LAPSED',
  ...BY_SYSTEM,
  ownerId: server.from_user_id,
  otherId: server.to_user_id,
  server,
})

/** One whose time was over lapsed, whoever removed it. */
const withdrawnEvent = (offer: RemovedTransfer, by: EventActor): DomainEvent => ({
  ...lapsedEvent(offer),
  ...(offer.stood && { action: 'TRANSFER_CANCELLED', ...by }),
})

/** The repeating task: ends offers that stood too long. */
export function lapseTransfers({ db }: { readonly db: Db }): Promise<void> {
  return transaction(db, (trx) => lapseTransfersIn(trx))
}

/** The same of one locked server, or of all. */
export async function lapseTransfersIn(trx: Db, publicId?: string): Promise<void> {
  const ended = await deleteLapsedTransfers(trx, publicId)
  await recordEvent(trx, ...ended.map(lapsedEvent))
}

/** Ends every offer from and to a locked person who is banned or erased. */
export async function withdrawTransfersOf(trx: Db, userId: string, by: EventActor): Promise<void> {
  const ended = await deleteTransfersOf(trx, userId)
  await recordEvent(trx, ...ended.map((one) => withdrawnEvent(one, by)))
}

export async function withdrawTransferOfServer(trx: Db, publicId: string, by: EventActor): Promise<void> {
  const ended = await deleteTransferOfServer(trx, publicId)
  if (ended !== undefined) await recordEvent(trx, withdrawnEvent(ended, by))
}
