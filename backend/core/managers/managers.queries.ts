import { type Insertable, sql } from 'kysely'
import type { Db } from '#backend/platform/database/open.ts'
import type { Tables } from '#backend/platform/database/tables.ts'

/** Those of the given users who are managers of this owner, with their permissions. */
export async function managersAmong(db: Db, ownerId: string, userIds: readonly string[]) {
  if (userIds.length === 0) return []
  return db
    .selectFrom('manager_grants')
    .select(['manager_id', 'permissions'])
    .where('owner_id', '=', ownerId)
    .where('manager_id', '=', sql<string>`any(${userIds}::uuid[])`)
    .execute()
}

export async function ownersManagedBy(db: Db, managerId: string): Promise<string[]> {
  const rows = await db.selectFrom('manager_grants').select('owner_id').where('manager_id', '=', managerId).execute()
  return rows.map((row) => row.owner_id)
}

export async function countManagersOf(trx: Db, ownerId: string): Promise<number> {
  const rows = await trx.selectFrom('manager_grants').select('id').where('owner_id', '=', ownerId).execute()
  return rows.length
}

export function insertManagerGrant(trx: Db, grant: Insertable<Tables['manager_grants']>) {
  return trx.insertInto('manager_grants').values(grant).returningAll().executeTakeFirstOrThrow()
}

export function updatePermissions(trx: Db, id: string, permissions: readonly string[]) {
  return trx
    .updateTable('manager_grants')
    .set({ permissions: [...permissions] })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Deletes a manager's grant from this owner or with this id, and returns it; undefined if there is none. */
export function deleteManagerGrant(trx: Db, grant: { manager_id: string } & ({ owner_id: string } | { id: string })) {
  return trx
    .deleteFrom('manager_grants')
    .where((q) => q.and(grant))
    .returning(['owner_id', 'permissions'])
    .executeTakeFirst()
}

/** Deletes every grant that this user gave or received, and returns them. */
export function deleteManagerGrantsOf(trx: Db, userId: string) {
  return trx
    .deleteFrom('manager_grants')
    .where((q) => q.or([q('owner_id', '=', userId), q('manager_id', '=', userId)]))
    .returning(['owner_id', 'manager_id', 'permissions'])
    .execute()
}
