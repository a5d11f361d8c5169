/** The state of each live server that each webhook and each inbox was last notified of. */
import { type Selectable, sql } from 'kysely'
import type { Db } from '#backend/platform/database/open.ts'
import type { Tables } from '#backend/platform/database/tables.ts'

export type StateRow = Selectable<Tables['server_watch_states']>

/** Identifies a row. */
export type StateKey = Pick<StateRow, 'webhook_id' | 'server_id'>
export const keyOf = ({ webhook_id: webhookId, server_id: serverId }: StateKey) => `${webhookId} ${serverId}`

export async function listStates(db: Db): Promise<Map<string, StateRow>> {
  const rows = await db.selectFrom('server_watch_states').selectAll().execute()
  return new Map(rows.map((row) => [keyOf(row), row]))
}

interface StateChange {
  readonly previous: StateRow | undefined
  readonly next: StateRow
}

const COLUMNS = sql.raw(
  'webhook_id uuid, server_id text, user_id uuid, is_offline boolean, is_listed boolean, is_above boolean, is_shared boolean, binding text',
)

/** Inserts or changes each state that is still `previous`, so that of several nodes one publishes. Returns the keys of those that it was. */
export async function changeStates(trx: Db, changes: readonly StateChange[]): Promise<ReadonlySet<string>> {
  const inserted = changes.filter(({ previous }) => previous === undefined).map(({ next }) => next)
  const updated = changes.filter(({ previous }) => previous !== undefined).map(({ previous, next }) => ({ ...next, previous }))
  return new Set([...(await insertStates(trx, inserted)), ...(await updateStates(trx, updated))].map(keyOf))
}

export async function insertStates(trx: Db, states: readonly StateRow[]): Promise<StateKey[]> {
  if (states.length === 0) return []
  // The list may still have a server that was just deleted.
  const { rows } = await sql<StateKey>`
    insert into server_watch_states (webhook_id, server_id, user_id, is_offline, is_listed, is_above, is_shared, binding)
    select n.webhook_id, n.server_id, n.user_id, n.is_offline, n.is_listed, n.is_above, n.is_shared, n.binding
    from jsonb_to_recordset(${JSON.stringify(states)}::jsonb) as n (${COLUMNS})
    join all_servers s on s.public_id = n.server_id
    order by n.server_id, n.webhook_id for key share of s
    on conflict do nothing returning webhook_id, server_id`.execute(trx)
  return rows
}

async function updateStates(trx: Db, states: readonly (StateRow & { readonly previous: unknown })[]): Promise<StateKey[]> {
  if (states.length === 0) return []
  const isSame = sql.raw('s.server_id = n.server_id and s.webhook_id is not distinct from n.webhook_id')
  const { rows } = await sql<StateKey>`
    with next as (
      select * from jsonb_to_recordset(${JSON.stringify(states)}::jsonb) as n (${COLUMNS}, previous jsonb)
    ), locked as (
      select s.ctid from server_watch_states s join next n on ${isSame} order by s.server_id, s.webhook_id for no key update of s
    )
    update server_watch_states s
    set user_id = n.user_id, is_offline = n.is_offline, is_listed = n.is_listed, is_above = n.is_above, is_shared = n.is_shared, binding = n.binding
    from next n, (select count(*) from locked) waited
    where ${isSame} and to_jsonb(s) = n.previous
    returning s.webhook_id, s.server_id`.execute(trx)
  return rows
}

/** Deletes states of one webhook, or those of all webhooks about one server. */
export async function deleteStatesOf(trx: Db, of: { readonly webhook_id: string } | { readonly server_id: string }): Promise<void> {
  const query = trx.deleteFrom('server_watch_states').where('webhook_id', 'is not', null)
  await ('webhook_id' in of ? query.where('webhook_id', '=', of.webhook_id) : query.where('server_id', '=', of.server_id)).execute()
}
