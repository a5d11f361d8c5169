import { sql } from 'kysely'
import type { Db } from '#backend/platform/database/open.ts'

export interface StoredAttempt {
  readonly server_id: string
  readonly at: Date
  readonly address: string
  /** The current bound addresses of the server's credentials, of the attempt's family. */
  readonly bound: readonly string[]
  readonly last_announce_at: Date | null
}

/** The stored attempts of these servers with a rejection code, by server and time. Uses one index lookup per server. */
export async function listRejectedAttempts(db: Db, code: string, from: Date, publicIds: readonly string[]): Promise<StoredAttempt[]> {
  const { rows } = await sql<StoredAttempt>`
    select a.server_id, a.at, host(a.address) as address, p.last_announce_at,
      array(select host(x.address) from credentials c join credential_addresses x on x.credential_id = c.id
        where c.server_id = a.server_id and c.revoked_at is null and family(x.address) = family(a.address) order by c.issued_at desc) as bound
    from unnest(${publicIds}::text[]) as s (id)
    cross join lateral (select * from announce_attempts where server_id = s.id order by id desc) a
    left join presence p on p.server_id = a.server_id
    where a.code = ${code} and a.at >= ${from}::timestamptz
    order by a.server_id, a.id`.execute(db)
  return rows
}

export async function listSlots(db: Db, publicIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ server_id: string; slots: number }>`
    select server_id, (announce ->> 'maxPlayersCount')::integer as slots from presence where server_id = any(${publicIds}::text[])`.execute(
    db,
  )
  return new Map(rows.map((row) => [row.server_id, row.slots]))
}

const servers = (db: Db) =>
  db
    .selectFrom('servers')
    .select(['public_id as publicId', 'owner_id as ownerId', 'name', 'verified', 'promoted'])
    .select(sql<number>`(extract(epoch from date_trunc('milliseconds', created_at)) * 1000)::float8`.as('createdAt'))

export async function* serverPages(db: Db, size: number) {
  let page: Awaited<ReturnType<typeof findServers>>
  let after = ''
  do {
    page = await servers(db).where('public_id', '>', after).orderBy('public_id').limit(size).execute()
    yield page
    after = page.at(-1)?.publicId ?? ''
  } while (page.length === size)
}

export function findServers(db: Db, publicIds: readonly string[]) {
  return servers(db).where('public_id', 'in', publicIds).execute()
}
