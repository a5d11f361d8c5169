/**
 * Pinned servers come first in a user's list. They are a preference of one view, so a change is not a domain event: it concerns nobody
 * else, and the activity log would only hide what matters.
 */
import { MAX_PINNED_SERVERS } from '#contract/servers/pins.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import { forbidden } from '#backend/platform/errors.ts'
import { lockActor } from '#backend/core/users/users.ts'
import { addPin, countPins, deletePin, deleteStalePins } from './pins.queries.ts'
import { getOwnedOrManagedServer } from './servers.ts'

export { listPins } from './pins.queries.ts'

/** Does nothing if it is pinned already. Throws `forbidden` at the limit. */
export function pinServer(db: Db, userId: string, publicId: string): Promise<void> {
  return transaction(db, async (trx) => {
    // Two calls at once could both stay below the limit otherwise.
    await lockActor(trx, userId, 'update')
    const { public_id: id } = await getOwnedOrManagedServer(trx, userId, publicId)
    await deleteStalePins(trx, userId)
    await addPin(trx, userId, id)
    if ((await countPins(trx, userId)) > MAX_PINNED_SERVERS) throw forbidden('PIN_LIMIT_REACHED', { max: MAX_PINNED_SERVERS })
  })
}

/** Does nothing if it is not pinned. */
export async function unpinServer(db: Db, userId: string, publicId: string): Promise<void> {
  const { public_id: id } = await getOwnedOrManagedServer(db, userId, publicId)
  await deletePin(db, userId, id)
}
