/** Writes live states, attempts, and the uses and addresses of credentials in batches, in key order so that nodes never deadlock. */
import { sql } from 'kysely'
import type { Db } from '#backend/platform/database/open.ts'
import { familyOf } from '#backend/platform/http/client-address.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import { BY_SYSTEM, type DomainEvent, recordEvent } from '#backend/core/events/events.ts'
import type { Attempt, LiveCredential, OwnerFields, ServerRecord } from '#backend/masterlist/registry/server-record.ts'
import type { PresenceRow } from './presence-row.ts'

const lastEventAt = (table: string) =>
  sql.raw(`case ${table}.ended_by when 'LEFT' then greatest(${table}.since, ${table}.last_announce_at) else ${table}.last_announce_at end`)

/** As `isFromFuture` in registry/live-state.ts, by the clock of the database. */
const fromFuture = (column: string) => sql`${sql.ref(column)} > clock_timestamp() + interval '60 seconds'`

/**
 * Whether the row may be replaced: `supersedes` in registry/live-state.ts, except that a row of equal times is replaced. In whole
 * milliseconds, as it is read back.
 */
const isReplaceable = sql`((date_trunc('milliseconds', ${lastEventAt('presence')}), date_trunc('milliseconds', presence.changed_at))
  <= (date_trunc('milliseconds', ${lastEventAt('excluded')}), date_trunc('milliseconds', excluded.changed_at))
  or ${fromFuture('presence.changed_at')} or ${fromFuture('presence.last_announce_at')})`

/**
 * Input of `upsertPresence`: JSON takes a fifth of the time of arrays, whose elements the driver escapes one by one. A buffer outside the
 * heap, because such long strings caused half of the full garbage collections.
 */
export function presenceBatch(rows: readonly PresenceRow[]): Buffer {
  return Buffer.from(JSON.stringify(rows))
}

/**
 * Returns the ids that were not written, because the server is deleted or another node wrote a newer state. An update locks no server
 * row, so it doesn't wait for a user's transaction. A deleted credential is saved as null. `registered_at` copies the server's
 * `created_at`, which never changes. Throws a foreign key violation if a server is deleted concurrently.
 */
export async function upsertPresence(db: Db, batch: Buffer): Promise<string[]> {
  const { rows: unwritten } = await sql<{ server_id: string }>`
    with n as materialized (
      select * from jsonb_to_recordset(convert_from(${batch}::bytea, 'UTF8')::jsonb) as n (server_id text, owner_id uuid, online boolean, since float8, ended_by text,
        last_announce_at float8, address inet, other_address inet, endpoint_since float8, credential_id uuid, announce jsonb, changed_at float8)),
    written as (
    insert into presence (server_id, online, since, ended_by, last_announce_at, address, other_address, endpoint_since, credential_id, announce, changed_at, registered_at)
    select n.server_id, n.online, to_timestamp(n.since / 1000.0), n.ended_by, to_timestamp(n.last_announce_at / 1000.0), n.address, n.other_address, to_timestamp(n.endpoint_since / 1000.0),
      (select c.id from credentials c where c.id = n.credential_id), n.announce, to_timestamp(n.changed_at / 1000.0), s.created_at
    from n join servers s on s.public_id = n.server_id and s.owner_id = n.owner_id
    order by n.server_id
    on conflict (server_id) do update set online = excluded.online, since = excluded.since, ended_by = excluded.ended_by,
      last_announce_at = excluded.last_announce_at, address = excluded.address, other_address = excluded.other_address, endpoint_since = excluded.endpoint_since, credential_id = excluded.credential_id,
      announce = excluded.announce, changed_at = excluded.changed_at
      where ${isReplaceable}
    returning server_id)
    select server_id from n where server_id not in (select server_id from written)`.execute(db)
  return unwritten.map((row) => row.server_id)
}

export interface ServerAttempt extends Attempt {
  readonly server: ServerRecord
}

/** Adds attempts of servers that exist, and keeps the newest `max` of each. */
export async function insertAttempts(db: Db, rows: readonly ServerAttempt[], max: number): Promise<void> {
  const publicIds = rows.map(({ server }) => server.publicId)
  await sql`
    insert into announce_attempts (server_id, at, code, address, detail)
    select n.server_id, n.at, n.code, n.address, n.detail
    from unnest(${publicIds}::text[], ${rows.map((row) => new Date(row.at))}::timestamptz[],
      ${rows.map((row) => row.code)}::text[], ${rows.map((row) => row.address)}::inet[],
      ${rows.map((row) => row.detail)}::text[]) with ordinality as n (server_id, at, code, address, detail, place)
    join servers s on s.public_id = n.server_id
    order by n.server_id, n.place`.execute(db)
  await sql`
    delete from announce_attempts where id in (
      select id from (
        select id, row_number() over (partition by server_id order by id desc) as place
        from announce_attempts where server_id = any(${publicIds}::text[])
      ) kept where place > ${max})`.execute(db)
}

/** A PostgreSQL array of ids or numbers, which need no escaping by the driver. */
const arrayOf = (values: readonly (string | number)[]) => `{${values.join(',')}}`

/** Saves when unchanged servers last announced. */
export async function touchPresence(db: Db, servers: readonly Pick<ServerRecord, 'publicId' | 'lastAnnounceAt'>[]): Promise<void> {
  await sql`
    with locked as (
      select p.server_id, n.at
      from (select id, to_timestamp(ms / 1000.0) from unnest(${arrayOf(servers.map((server) => server.publicId))}::text[], ${arrayOf(servers.map((server) => server.lastAnnounceAt))}::float8[]) as n (id, ms)) as n (server_id, at)
      join presence p on p.server_id = n.server_id and p.last_announce_at < n.at
      order by p.server_id for update of p)
    update presence p set last_announce_at = locked.at from locked where p.server_id = locked.server_id and p.last_announce_at < locked.at`.execute(
    db,
  )
}

export async function touchCredentials(db: Db, credentials: readonly Pick<LiveCredential, 'id' | 'lastUsedAt'>[]): Promise<void> {
  await sql`
    with locked as (
      select x.credential_id, n.at
      from (select id, to_timestamp(ms / 1000.0) from unnest(${arrayOf(credentials.map(({ id }) => id))}::uuid[], ${arrayOf(credentials.map(({ lastUsedAt }) => lastUsedAt))}::float8[]) as n (id, ms)) as n (credential_id, at)
      join credential_uses x on x.credential_id = n.credential_id and (x.last_used_at is null or x.last_used_at < n.at or ${fromFuture('x.last_used_at')})
      order by x.credential_id for update of x)
    update credential_uses x set last_used_at = locked.at from locked where x.credential_id = locked.credential_id`.execute(db)
}

export interface Binding {
  readonly credentialId: string
  readonly address: string
}

/** With the credential's server, for the activity. */
export interface NewBinding extends Binding {
  readonly server: Pick<OwnerFields, 'publicId' | 'ownerId' | 'name'>
}

/**
 * Binds each credential to the address, unless it has one of that family. Returns the bound address of each valid one. Locks them, so that
 * none is revoked in the meantime.
 */
export async function bindCredentials(db: Db, bindings: readonly NewBinding[], now: Date): Promise<Binding[]> {
  return transaction(db, async (trx) => {
    const wanted = sql`unnest(${bindings.map(({ credentialId }) => credentialId)}::uuid[], ${bindings.map(({ address }) => address)}::inet[])`
    const { rows: added } = await sql<{ credential_id: string; address: string }>`
      with valid as materialized (
        select c.id, n.address
        from ${wanted} as n (credential_id, address)
        join credentials c on c.id = n.credential_id and c.revoked_at is null and c.server_id is not null
        order by c.id
        for share of c),
      used as (
        insert into credential_uses (credential_id, last_used_at) select distinct id, ${now}::timestamptz from valid order by id
        on conflict (credential_id) do nothing),
      added as (
        insert into credential_addresses (credential_id, address, bound_at) select id, address, ${now}::timestamptz from valid order by id
        on conflict (credential_id, family) do nothing
        returning credential_id, address)
      select credential_id, host(address) as address from added`.execute(trx)
    const isAdded = ({ credentialId, address }: Binding) =>
      added.some((row) => row.credential_id === credentialId && row.address === address)
    await recordEvent(trx, ...bindings.filter(isAdded).map((binding) => boundEvent(binding)))
    // A separate statement, which also sees what another node has just bound.
    const { rows } = await sql<{ credential_id: string; address: string }>`
      select a.credential_id, host(a.address) as address
      from ${wanted} as n (credential_id, address)
      join credentials c on c.id = n.credential_id and c.revoked_at is null and c.server_id is not null
      join credential_addresses a on a.credential_id = c.id and a.family = family(n.address)`.execute(trx)
    return rows.map((row) => ({ credentialId: row.credential_id, address: row.address }))
  })
}

function boundEvent({ address, server: { publicId, ownerId, name } }: NewBinding): DomainEvent {
  const server = { public_id: publicId, name }
  return { action: 'ADDRESS_BOUND', ...BY_SYSTEM, ownerId, server, after: { family: familyOf(address), bound_address: address } }
}

/** Deletes a former owner's data: uses, addresses and states of revoked credentials, and attempts from before the first valid one. */
export async function deleteFormerLiveState(db: Db, publicId: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const working = sql<string>`(select id from credentials where server_id = ${publicId} and revoked_at is null)`
    await sql`
      delete from credential_uses where credential_id in (
        select x.credential_id from credential_uses x
        join credentials c on c.id = x.credential_id and c.server_id = ${publicId} and c.revoked_at is not null
        order by x.credential_id for update of x)`.execute(trx)
    await sql`
      delete from credential_addresses where credential_id in (
        select id from credentials where server_id = ${publicId} and revoked_at is not null)`.execute(trx)
    await sql`
      delete from presence where server_id = ${publicId} and (credential_id is null or credential_id not in ${working})`.execute(trx)
    await sql`
      delete from announce_attempts where server_id = ${publicId} and at < coalesce(
        (select min(issued_at) from credentials where server_id = ${publicId} and revoked_at is null), 'infinity')`.execute(trx)
  })
}
