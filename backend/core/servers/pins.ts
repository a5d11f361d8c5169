/**
 * Pinned servers come first in a user's list. They are a preference of one view, so a change is not a domain event: it concerns nobody
 * else, and the activity log would only hide what matters.
 */
import { sql } from 'kysely'
import { MAX_PINNED_SERVERS } from '#contract/servers/pins.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import { forbidden } from '#backend/platform/errors.ts'
import { lockActor } from '#backend/core/users/users.ts'
import { getOwnedOrManagedServer } from './servers.ts'

/** Does nothing if it is pinned already. Throws `forbidden` at the limit. */
export function pinServer(db: Db, userId: string, publicId: string): Promise<void> {
  return transaction(db, async (trx) => {
    // Two calls at once could both stay below the limit otherwise.
    await lockActor(trx, userId, 'update')
    const { public_id: id } = await getOwnedOrManagedServer(trx, userId, publicId)
    await deleteStalePins(trx, userId)
    await trx
      .insertInto('pinned_servers')
      .values({ user_id: userId, server_id: id })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const pins = await trx.selectFrom('pinned_servers').select('server_id').where('user_id', '=', userId).execute()
    if (pins.length > MAX_PINNED_SERVERS) throw forbidden('PIN_LIMIT_REACHED', { max: MAX_PINNED_SERVERS })
  })
}

/** Does nothing if it is not pinned. */
export async function unpinServer(db: Db, userId: string, publicId: string): Promise<void> {
  const { public_id: id } = await getOwnedOrManagedServer(db, userId, publicId)
  await db.deleteFrom('pinned_servers').where('user_id', '=', userId).where('server_id', '=', id).execute()
}

/** The public IDs of the servers that the user pinned and still sees, the latest first. */
export async function listPins(db: Db, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('pinned_servers')
    .innerJoin('servers', 'servers.public_id', 'pinned_servers.server_id')
    .select('pinned_servers.server_id')
    .where('pinned_servers.user_id', '=', userId)
    .where(sql<boolean>`(servers.owner_id = ${userId} or exists (
      select from manager_grants g where g.owner_id = servers.owner_id and g.manager_id = ${userId}))`)
    .orderBy('pinned_servers.pinned_at', 'desc')
    .orderBy('pinned_servers.server_id')
    .execute()
  return rows.map(({ server_id: id }) => id)
}

/** Pins of servers that the user neither owns nor manages any more. The bin counts as owned, because a server can be restored. */
async function deleteStalePins(trx: Db, userId: string): Promise<void> {
  await sql`delete from pinned_servers p using all_servers s
    where p.user_id = ${userId} and s.public_id = p.server_id and s.owner_id <> ${userId} and not exists (
      select from manager_grants g where g.owner_id = s.owner_id and g.manager_id = ${userId})`.execute(trx)
}
