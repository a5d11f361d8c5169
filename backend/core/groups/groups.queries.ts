import { v7 as uuidv7 } from 'uuid'
import type { Db } from '#backend/platform/database/open.ts'

export type GroupRow = Awaited<ReturnType<typeof listGroupsOf>>[number]

export function listGroupsOf(db: Db, ownerId: string) {
  return db.selectFrom('server_groups').selectAll().where('owner_id', '=', ownerId).orderBy('created_at').orderBy('id').execute()
}

/** The owner's servers that are in a group, oldest first. */
export function listGroupedServersOf(db: Db, ownerId: string) {
  return db
    .selectFrom('servers')
    .select(['public_id', 'name', 'group_id'])
    .where('owner_id', '=', ownerId)
    .where('group_id', 'is not', null)
    .orderBy('created_at')
    .orderBy('public_id')
    .execute()
}

export function insertGroup(trx: Db, ownerId: string, name: string) {
  return trx.insertInto('server_groups').values({ id: uuidv7(), owner_id: ownerId, name }).returningAll().executeTakeFirstOrThrow()
}

export function updateGroupName(trx: Db, id: string, name: string) {
  return trx.updateTable('server_groups').set({ name }).where('id', '=', id).returningAll().executeTakeFirstOrThrow()
}

/** Its servers stay: the foreign key clears their group. */
export async function deleteGroupRow(trx: Db, id: string): Promise<void> {
  await trx.deleteFrom('server_groups').where('id', '=', id).execute()
}
