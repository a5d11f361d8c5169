/** The state of each server that each webhook was last notified of. */
import { type Selectable, sql } from 'kysely'
import type { Db } from '#backend/platform/database/open.ts'
import type { Tables } from '#backend/platform/database/tables.ts'
import { updateWebhook } from './webhooks.queries.ts'

export type StateRow = Selectable<Tables['webhook_server_states']>

export function listStates(db: Db, webhookIds: readonly string[]): Promise<StateRow[]> {
  return db
    .selectFrom('webhook_server_states')
    .selectAll()
    .where(sql<boolean>`webhook_id = any(${webhookIds}::uuid[])`)
    .execute()
}

/** The IDs of a user's servers, locked against deletion. @param ids empty for all. */
export async function lockServersOf(trx: Db, ownerId: string, ids: readonly string[]): Promise<string[]> {
  const rows = await trx
    .selectFrom('servers')
    .select('public_id')
    .where('owner_id', '=', ownerId)
    .$if(ids.length > 0, (q) => q.where('public_id', 'in', ids))
    .orderBy('public_id')
    .forKeyShare()
    .execute()
  return rows.map((row) => row.public_id)
}

/** Inserts or changes a state if it is still `previous`. Returns whether it did, so that of several nodes one publishes. */
export async function changeState(trx: Db, previous: StateRow | undefined, next: StateRow): Promise<boolean> {
  if (previous === undefined) {
    // The list may still have a server that was just deleted.
    const { numAffectedRows } = await sql`
      insert into webhook_server_states (webhook_id, server_id, is_offline, is_listed, is_above, binding)
      select ${next.webhook_id}::uuid, public_id, ${next.is_offline}::boolean, ${next.is_listed}::boolean, ${next.is_above}::boolean, ${next.binding}::text
      from servers where public_id = ${next.server_id} for key share
      on conflict do nothing`.execute(trx)
    return (numAffectedRows ?? 0n) > 0n
  }
  const { webhook_id: webhookId, server_id: serverId, ...columns } = next
  const { numUpdatedRows } = await trx
    .updateTable('webhook_server_states')
    .set(columns)
    .where('webhook_id', '=', webhookId)
    .where('server_id', '=', serverId)
    .where('is_offline', '=', previous.is_offline)
    .where('is_listed', '=', previous.is_listed)
    .where('is_above', '=', previous.is_above)
    .where('binding', 'is not distinct from', previous.binding)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The webhook starts again without states, so that earlier changes are not published. */
export async function resetStates(trx: Db, webhookId: string): Promise<void> {
  await deleteStates(trx, webhookId)
  await updateWebhook(trx, webhookId, { watching_since: sql<Date>`now()` })
}

export async function deleteStates(trx: Db, webhookId: string, serverIds?: readonly string[]): Promise<void> {
  let query = trx.deleteFrom('webhook_server_states').where('webhook_id', '=', webhookId)
  if (serverIds !== undefined) query = query.where(sql<boolean>`server_id = any(${serverIds}::text[])`)
  await query.execute()
}
