import { type Selectable, sql } from 'kysely'
import type { Db } from '#backend/platform/database/open.ts'
import type { Tables } from '#backend/platform/database/tables.ts'

export type ServerState = Selectable<Tables['notification_server_states']>

interface StateChange {
  readonly previous: ServerState | undefined
  readonly next: ServerState
}

export function listStates(db: Db): Promise<ServerState[]> {
  return db.selectFrom('notification_server_states').selectAll().execute()
}

/** Inserts or changes each state that is still `previous`. Returns the IDs of the servers where it was. */
export async function changeStates(trx: Db, changes: readonly StateChange[]): Promise<ReadonlySet<string>> {
  const inserted = changes.filter(({ previous }) => previous === undefined).map(({ next }) => next)
  const updated = changes.filter(({ previous }) => previous !== undefined).map(({ previous, next }) => ({ ...next, previous }))
  return new Set([...(await insertStates(trx, inserted)), ...(await updateStates(trx, updated))])
}

async function insertStates(trx: Db, states: readonly ServerState[]): Promise<string[]> {
  if (states.length === 0) return []
  // The list may still have a server that was just deleted.
  const { rows } = await sql<{ server_id: string }>`
    insert into notification_server_states (server_id, user_id, is_offline, is_listed, binding)
    select n.server_id, n.user_id, n.is_offline, n.is_listed, n.binding
    from jsonb_to_recordset(${JSON.stringify(states)}::jsonb)
      as n (server_id text, user_id uuid, is_offline boolean, is_listed boolean, binding text)
    join all_servers s on s.public_id = n.server_id
    order by n.server_id for key share of s
    on conflict do nothing returning server_id`.execute(trx)
  return rows.map((row) => row.server_id)
}

async function updateStates(trx: Db, states: readonly (ServerState & { readonly previous: unknown })[]): Promise<string[]> {
  if (states.length === 0) return []
  const { rows } = await sql<{ server_id: string }>`
    with next as (
      select * from jsonb_to_recordset(${JSON.stringify(states)}::jsonb)
        as n (server_id text, user_id uuid, is_offline boolean, is_listed boolean, binding text, previous jsonb)
    ), locked as (
      select s.server_id from notification_server_states s join next n using (server_id) order by s.server_id for no key update of s
    )
    update notification_server_states s
    set user_id = n.user_id, is_offline = n.is_offline, is_listed = n.is_listed, binding = n.binding
    from next n join locked l using (server_id)
    where s.server_id = n.server_id and to_jsonb(s) = n.previous
    returning s.server_id`.execute(trx)
  return rows.map((row) => row.server_id)
}
