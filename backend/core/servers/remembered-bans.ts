/**
 * A ban outlives a server that its owner deletes. It then applies to the same owner's servers with the same name, and to servers
 * bound later to the same address (docs/decisions/0011).
 */
import { sql } from 'kysely'
import type { Db } from '#backend/platform/database/open.ts'
import { nameKey } from './name-key.ts'
import type { ServerRow } from './servers.queries.ts'

export type RememberedBan = Pick<ServerRow, 'ban_reason' | 'banned_until'>

const isActive = sql<boolean>`(remembered_bans.banned_until is null or remembered_bans.banned_until > now())`
/** A server that was bound before the ban can't evade it: an owner may run several servers on one machine. */
const isBoundAfterBan = sql`c.revoked_at is null and a.bound_at > remembered_bans.banned_at`

/** A host changes its IPv6 address within its /64. */
const machineOf = (column: string) =>
  sql`network(set_masklen(${sql.ref(column)}, case family(${sql.ref(column)}) when 6 then 64 else 32 end))`

const bannedMachines = sql`${machineOf('remembered_bans.bound_address')}, ${machineOf('remembered_bans.other_address')}`

/** The machines that a server's credentials are bound to. Conditions on the credential (`c`) may be appended. */
const machinesOf = (publicId: string) => sql`
  select ${machineOf('a.address')} from credentials c join credential_addresses a on a.credential_id = c.id where c.server_id = ${publicId}`

/** Remembers the ban of a locked server. Call it before the server and its credentials are deleted. Does nothing without a ban. */
export async function rememberBan(trx: Db, row: ServerRow): Promise<void> {
  if (!row.banned) return
  const bound = (place: number) => sql<string | null>`(
    select a.address from credentials c join credential_addresses a on a.credential_id = c.id
    where c.server_id = ${row.public_id} and c.revoked_at is null order by c.issued_at desc, a.bound_at offset ${sql.lit(place)} limit 1)`
  const ban = { ban_reason: row.ban_reason, banned_at: row.banned_at ?? sql<Date>`now()`, banned_until: row.banned_until }
  await trx
    .insertInto('remembered_bans')
    .values({ owner_id: row.owner_id, name_key: nameKey(row.name), bound_address: bound(0), other_address: bound(1), ...ban })
    .onConflict((conflict) =>
      conflict.columns(['owner_id', 'name_key']).doUpdateSet({
        ...ban,
        bound_address: sql<string | null>`coalesce(excluded.bound_address, remembered_bans.bound_address)`,
        other_address: sql<string | null>`coalesce(excluded.other_address, remembered_bans.other_address)`,
      }),
    )
    .execute()
}

export async function findRememberedBanByName(trx: Db, ownerId: string, name: string): Promise<RememberedBan | undefined> {
  return await trx
    .selectFrom('remembered_bans')
    .select(['ban_reason', 'banned_until'])
    .where('owner_id', '=', ownerId)
    .where('name_key', 'in', await rememberedKeysOf(trx, ownerId, name))
    .where(isActive)
    .orderBy(sql`banned_until desc nulls first`)
    .executeTakeFirst()
}

/** The keys of a name, also as earlier versions of the rule stored them. They folded less, so folding them again gives today's key. */
async function rememberedKeysOf(trx: Db, ownerId: string, name: string): Promise<string[]> {
  const key = nameKey(name)
  const stored = await trx.selectFrom('remembered_bans').select('name_key').where('owner_id', '=', ownerId).execute()
  return [key, ...stored.map((row) => row.name_key).filter((former) => nameKey(former) === key)]
}

/** Servers that aren't banned yet but were bound, after their owner's remembered ban, to its address. Leaves out those in `except`. */
export async function listServersAtBannedAddress(db: Db, except: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ server_id: string }>`
    select distinct c.server_id from remembered_bans
    join servers s on s.owner_id = remembered_bans.owner_id and not s.banned
    join credentials c on c.server_id = s.public_id
    join credential_addresses a on a.credential_id = c.id and ${machineOf('a.address')} in (${bannedMachines})
    where ${isActive} and ${isBoundAfterBan} and c.server_id <> all(${except}::text[])`.execute(db)
  return rows.map((row) => row.server_id)
}

/** The longest remembered ban that applies to this locked server by its address. */
export function findRememberedBanByAddress(trx: Db, publicId: string, ownerId: string): Promise<RememberedBan | undefined> {
  return trx
    .selectFrom('remembered_bans')
    .select(['ban_reason', 'banned_until'])
    .where('owner_id', '=', ownerId)
    .where(isActive)
    .where(sql<boolean>`array[${bannedMachines}] && array(${machinesOf(publicId)} and ${isBoundAfterBan})`)
    .orderBy(sql`banned_until desc nulls first`)
    .executeTakeFirst()
}

/** Deletes every remembered ban for this server's name and addresses. Call it when the server's ban is lifted. */
export async function deleteRememberedBans(trx: Db, row: ServerRow): Promise<void> {
  const keys = await rememberedKeysOf(trx, row.owner_id, row.name)
  await trx
    .deleteFrom('remembered_bans')
    .where('owner_id', '=', row.owner_id)
    .where(sql<boolean>`(name_key = any(${keys}::text[]) or array[${bannedMachines}] && array(${machinesOf(row.public_id)}))`)
    .execute()
}

export async function deleteExpiredRememberedBans(db: Db): Promise<void> {
  const isExpired = sql<boolean>`banned_until <= now()`
  await db.deleteFrom('remembered_bans').where(isExpired).execute()
}
