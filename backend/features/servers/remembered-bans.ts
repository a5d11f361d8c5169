/**
 * A ban outlives a server that its owner deletes. It applies to the same owner's servers that have the same name, or are bound to the same
 * address later (docs/decisions/0036).
 */
import { sql } from 'kysely'
import type { Db } from '#backend/platform/database/open.ts'
import { nameKey } from './name-key.ts'
import type { ServerRow } from './servers.queries.ts'

export type RememberedBan = Pick<ServerRow, 'ban_reason' | 'banned_until'>

const isActive = sql<boolean>`(remembered_bans.banned_until is null or remembered_bans.banned_until > now())`
/** A server that was bound before the ban was not made to evade it: one owner may run several on a machine. */
const isBoundAfterBan = sql`c.revoked_at is null and u.bound_at > remembered_bans.banned_at`

/** The addresses that a server's credentials bound. Conditions on the credential (`c`) may follow. */
const addressesOf = (publicId: string) => sql`
  select u.bound_address from credentials c join credential_uses u on u.credential_id = c.id where c.server_id = ${publicId}`

/** Of a locked server, before it and its credentials go. Does nothing where it is not banned. */
export async function rememberBan(trx: Db, row: ServerRow): Promise<void> {
  if (!row.banned) return
  const bound = sql<string | null>`(
    ${addressesOf(row.public_id)} and c.revoked_at is null and u.bound_address is not null order by c.issued_at desc limit 1)`
  const ban = { ban_reason: row.ban_reason, banned_at: row.banned_at ?? sql<Date>`now()`, banned_until: row.banned_until }
  await trx
    .insertInto('remembered_bans')
    .values({ owner_id: row.owner_id, name_key: nameKey(row.name), bound_address: bound, ...ban })
    .onConflict((conflict) =>
      conflict.columns(['owner_id', 'name_key']).doUpdateSet({
        ...ban,
        bound_address: sql<string | null>`coalesce(excluded.bound_address, remembered_bans.bound_address)`,
      }),
    )
    .execute()
}

/** The ban that falls on a server of this name; undefined where there is none. */
export function findRememberedBanByName(trx: Db, ownerId: string, name: string): Promise<RememberedBan | undefined> {
  return trx
    .selectFrom('remembered_bans')
    .select(['ban_reason', 'banned_until'])
    .where('owner_id', '=', ownerId)
    .where('name_key', '=', nameKey(name))
    .where(isActive)
    .executeTakeFirst()
}

/** Servers outside `except` that are not banned, and were bound to an address after a ban that is remembered for it and their owner. */
export async function listServersAtBannedAddress(db: Db, except: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ server_id: string }>`
    select distinct c.server_id from remembered_bans
    join servers s on s.owner_id = remembered_bans.owner_id and not s.banned
    join credentials c on c.server_id = s.public_id
    join credential_uses u on u.credential_id = c.id and u.bound_address = remembered_bans.bound_address
    where ${isActive} and ${isBoundAfterBan} and c.server_id <> all(${except}::text[])`.execute(db)
  return rows.map((row) => row.server_id)
}

/** The same for one locked server: the ban that lasts longest. */
export function findRememberedBanByAddress(trx: Db, publicId: string, ownerId: string): Promise<RememberedBan | undefined> {
  return trx
    .selectFrom('remembered_bans')
    .select(['ban_reason', 'banned_until'])
    .where('owner_id', '=', ownerId)
    .where(isActive)
    .where(sql<boolean>`bound_address in (${addressesOf(publicId)} and ${isBoundAfterBan})`)
    .orderBy(sql`banned_until desc nulls first`)
    .executeTakeFirst()
}

/** The ban was lifted: what else was remembered for this server's name and addresses goes with it. */
export async function deleteRememberedBans(trx: Db, row: ServerRow): Promise<void> {
  await trx
    .deleteFrom('remembered_bans')
    .where('owner_id', '=', row.owner_id)
    .where(sql<boolean>`(name_key = ${nameKey(row.name)} or bound_address in (${addressesOf(row.public_id)}))`)
    .execute()
}

export async function deleteExpiredRememberedBans(db: Db): Promise<void> {
  const isOver = sql<boolean>`banned_until <= now()`
  await db.deleteFrom('remembered_bans').where(isOver).execute()
}
