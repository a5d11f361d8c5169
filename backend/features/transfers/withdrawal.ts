/**
 * How offers end that nobody answered: they lapse, or are withdrawn with a person or with their server. For other slices too, so it knows
 * none of them but the activity.
 */
import type { Db } from '#backend/platform/database/open.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import { BY_SYSTEM, type By, type DomainEvent, recordEvent } from '#backend/features/events/events.ts'
import { closeTransferOfServer, closeTransfersOf, deleteLapsed } from './transfers.queries.ts'

/** An offer that ended: who was in it, and which server. */
interface Ended {
  readonly from_user_id: string
  readonly to_user_id: string
  readonly public_id: string
  readonly name: string
}

const lapsed = (ended: Ended): DomainEvent => ({
  action: 'TRANSFER_LAPSED',
  ...BY_SYSTEM,
  ownerId: ended.from_user_id,
  otherId: ended.to_user_id,
  server: ended,
})

/** One that had lapsed lapsed, whoever comes now. */
const withdrawn = (ended: Ended & { readonly stood: boolean }, by: By): DomainEvent => ({
  ...lapsed(ended),
  ...(ended.stood && { action: 'TRANSFER_CANCELLED', ...by }),
})

/** The repeating task: ends offers that stood too long. */
export function lapseTransfers({ db }: { readonly db: Db }): Promise<void> {
  return transaction(db, (trx) => lapseIn(trx))
}

/** The same of one server that is held, or of all, in the caller's transaction. */
export async function lapseIn(trx: Db, publicId?: string): Promise<void> {
  const ended = await deleteLapsed(trx, publicId)
  await recordEvent(trx, ...ended.map(lapsed))
}

/** Ends every offer from and to somebody who is held, because he is banned or erased. In the caller's transaction. */
export async function withdrawTransfersOf(trx: Db, userId: string, by: By): Promise<void> {
  const ended = await closeTransfersOf(trx, userId)
  await recordEvent(trx, ...ended.map((one) => withdrawn(one, by)))
}

/** Ends the offer of a server that is held, because it goes. In the caller's transaction. */
export async function withdrawTransferOfServer(trx: Db, publicId: string, by: By): Promise<void> {
  const ended = await closeTransferOfServer(trx, publicId)
  if (ended !== undefined) await recordEvent(trx, withdrawn(ended, by))
}
