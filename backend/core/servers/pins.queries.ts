import { sql } from 'kysely'
import type { Db } from '#backend/platform/database/open.ts'

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

export async function addPin(trx: Db, userId: string, serverId: string): Promise<void> {
  await trx
    .insertInto('pinned_servers')
    .values({ user_id: userId, server_id: serverId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function deletePin(db: Db, userId: string, serverId: string): Promise<void> {
  await db.deleteFrom('pinned_servers').where('user_id', '=', userId).where('server_id', '=', serverId).execute()
}

export async function countPins(trx: Db, userId: string): Promise<number> {
  const { count } = await trx
    .selectFrom('pinned_servers')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return count
}

/** Pins of servers that the user neither owns nor manages any more. The bin counts as owned, because a server can be restored. */
export async function deleteStalePins(trx: Db, userId: string): Promise<void> {
  await sql`delete from pinned_servers p using all_servers s
    where p.user_id = ${userId} and s.public_id = p.server_id and s.owner_id <> ${userId} and not exists (
      select from manager_grants g where g.owner_id = s.owner_id and g.manager_id = ${userId})`.execute(trx)
}
