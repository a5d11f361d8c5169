import { sql } from 'kysely'
import type { Db } from '#backend/platform/database/open.ts'
import { NOT_SAMPLED } from '#backend/platform/database/tables/player-samples.ts'

export interface SampleRow {
  readonly server_id: string
  readonly hour: Date
  readonly players: readonly number[]
}

/**
 * Writes one hour of many servers, except minutes that this node did not sample. Locks the servers in key order, as a deletion does.
 * Each column is sent as one text, because the driver escapes every element of an array.
 */
export async function upsertSamples(trx: Db, hour: Date, publicIds: readonly string[], players: readonly string[]): Promise<void> {
  await sql`
    with n as (
      select * from unnest(string_to_array(${publicIds.join(' ')}, ' '), string_to_array(${players.join(' ')}, ' ')) as n (server_id, players)
    ), locked as materialized (
      select s.public_id from servers s where s.public_id in (select server_id from n) order by s.public_id for key share
    )
    insert into player_samples (server_id, hour, players)
    select h.public_id, ${hour}::timestamptz, n.players::smallint[] from locked h join n on n.server_id = h.public_id order by h.public_id
    on conflict (server_id, hour) do update set players = (
      select array_agg(case when m.new = ${NOT_SAMPLED} then coalesce(m.old, ${NOT_SAMPLED}) else m.new end order by m.minute)::smallint[]
      from unnest(player_samples.players, excluded.players) with ordinality as m (old, new, minute))`.execute(trx)
}

/** A page of samples by server and hour. @param after last row of the previous page. */
export async function listSamples(
  db: Db,
  from: Date,
  after: Pick<SampleRow, 'server_id' | 'hour'> | undefined,
  limit: number,
): Promise<SampleRow[]> {
  const { rows } = await sql<SampleRow>`
    select server_id, hour, players from player_samples
    where hour >= ${from}::timestamptz and (server_id, hour) > (${after?.server_id ?? ''}, ${after?.hour ?? new Date(0)}::timestamptz)
    order by server_id, hour limit ${limit}`.execute(db)
  return rows
}

/** Writes one hour of the whole list, except minutes that this node did not sample. */
export async function upsertListSamples(
  db: Db,
  hour: Date,
  { players, servers }: { readonly players: string; readonly servers: string },
): Promise<void> {
  await sql`
    insert into list_samples (hour, players, servers) values (${hour}::timestamptz, ${players}::integer[], ${servers}::integer[])
    on conflict (hour) do update set (players, servers) = (
      select array_agg(case when m.new_players = ${NOT_SAMPLED} then m.players else m.new_players end order by m.minute),
        array_agg(case when m.new_players = ${NOT_SAMPLED} then m.servers else m.new_servers end order by m.minute)
      from unnest(list_samples.players, list_samples.servers, excluded.players, excluded.servers)
        with ordinality as m (players, servers, new_players, new_servers, minute))`.execute(db)
}

/** Whether the database has every minute of the hour that this node sampled. */
export async function isListHourWritten(db: Db, hour: Date, players: string): Promise<boolean> {
  const { rows } = await sql<{ missing: boolean }>`
    select bool_or(n.sampled <> ${NOT_SAMPLED} and coalesce(n.written, ${NOT_SAMPLED}) = ${NOT_SAMPLED}) as missing
    from unnest(${players}::integer[], (select players from list_samples where hour = ${hour}::timestamptz)) as n (sampled, written)`.execute(
    db,
  )
  return rows[0]?.missing !== true
}

export function findListHour(db: Db, hour: Date) {
  return db.selectFrom('list_samples').select(['players', 'servers']).where('hour', '=', hour).executeTakeFirst()
}
