/**
 * How offers end that nobody answered: they lapse, or are withdrawn with a person or with their server. For other slices too, so it knows
 * none of them but the activity.
 */
import type { Db } from '#backend/platform/database/open.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import { type Happening, record } from '#backend/features/activity/activity.ts'
import { closeTransferOfServer, closeTransfersOf, deleteLapsed } from './transfers.queries.ts'

/** An offer that ended: who was in it, and which server. */
export interface Ended {
  readonly from_user_id: string
  readonly to_user_id: string
  readonly public_id: string
  readonly name: string
}

type By = Pick<Happening, 'as' | 'actorId'>

const lapsed = (ended: Ended): Happening => ({
  action: 'TRANSFER_LAPSED',
  as: 'system',
  actorId: null,
  ownerId: ended.from_user_id,
  otherId: ended.to_user_id,
  server: ended,
})

/** One that had lapsed lapsed, whoever comes now. */
const withdrawn = (ended: Ended & { readonly stood: boolean }, by: By): Happening => ({
  ...lapsed(ended),
  ...(ended.stood && { action: 'TRANSFER_CANCELLED', ...by }),
})

/** Ends offers that stood too long. Answers them, so that both sides can be told. */
export function lapseTransfers(db: Db): Promise<Ended[]> {
  return transaction(db, (trx) => lapseIn(trx))
}

/** The same of one server that is held, or of all, in the caller's transaction. */
export async function lapseIn(trx: Db, publicId?: string): Promise<Ended[]> {
  const ended = await deleteLapsed(trx, publicId)
  await record(trx, ...ended.map(lapsed))
  return ended
}

/** Ends every offer from and to somebody who is held, because he is banned or erased. In the caller's transaction. */
export async function withdrawTransfersOf(trx: Db, userId: string, by: By): Promise<Ended[]> {
  const ended = await closeTransfersOf(trx, userId)
  await record(trx, ...ended.map((one) => withdrawn(one, by)))
  return ended
}

/** Ends the offer of a server that is held, because it goes; undefined where there is none. In the caller's transaction. */
export async function withdrawTransferOfServer(trx: Db, publicId: string, by: By): Promise<Ended | undefined> {
  const ended = await closeTransferOfServer(trx, publicId)
  if (ended !== undefined) await record(trx, withdrawn(ended, by))
  return ended
}
