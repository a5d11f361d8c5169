/** How offers end that nobody answered: they lapse, or are withdrawn with a person or with their server. */
import type { Db } from '#backend/platform/database/open.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import { BY_SYSTEM, type By, type DomainEvent, recordEvent } from '#backend/features/events/events.ts'
import { type RemovedTransfer, closeTransferOfServer, closeTransfersOf, deleteLapsed } from './transfers.queries.ts'

const lapsed = (server: RemovedTransfer): DomainEvent => ({
  action: 'TRANSFER_LAPSED',
  ...BY_SYSTEM,
  ownerId: server.from_user_id,
  otherId: server.to_user_id,
  server,
})

/** One whose time was over lapsed, whoever removed it. */
const withdrawn = (offer: RemovedTransfer, by: By): DomainEvent => ({
  ...lapsed(offer),
  ...(offer.stood && { action: 'TRANSFER_CANCELLED', ...by }),
})

/** The repeating task: ends offers that stood too long. */
export function lapseTransfers({ db }: { readonly db: Db }): Promise<void> {
  return transaction(db, (trx) => lapseIn(trx))
}

/** The same of one locked server, or of all. */
export async function lapseIn(trx: Db, publicId?: string): Promise<void> {
  const ended = await deleteLapsed(trx, publicId)
  await recordEvent(trx, ...ended.map(lapsed))
}

/** Ends every offer from and to a locked person who is banned or erased. */
export async function withdrawTransfersOf(trx: Db, userId: string, by: By): Promise<void> {
  const ended = await closeTransfersOf(trx, userId)
  await recordEvent(trx, ...ended.map((one) => withdrawn(one, by)))
}

export async function withdrawTransferOfServer(trx: Db, publicId: string, by: By): Promise<void> {
  const ended = await closeTransferOfServer(trx, publicId)
  if (ended !== undefined) await recordEvent(trx, withdrawn(ended, by))
}
