import type { Insertable } from 'kysely'
import { sql } from 'kysely'
import { ACTIVITY_PAGE } from '#contract/activity.ts'
import type { Db } from '#backend/database/open.ts'
import type { Activity } from '#backend/database/tables.ts'

export async function insertActivity(trx: Db, entries: readonly Insertable<Activity>[]): Promise<void> {
  await trx.insertInto('activity').values(entries).execute()
}

export type ActivityRow = Awaited<ReturnType<typeof listOfServer>>[number]

function newestFirst(db: Db, beforeId: string | undefined) {
  const page = db.selectFrom('activity').selectAll().orderBy('id', 'desc').limit(ACTIVITY_PAGE)
  return beforeId === undefined ? page : page.where('id', '<', beforeId)
}

/** What its former owners did is theirs; the present one's part begins with his acceptance. */
export function listOfServer(db: Db, ownerId: string, publicId: string, beforeId: string | undefined) {
  return newestFirst(db, beforeId)
    .where('server_id', '=', publicId)
    .where((q) => q.or([q('owner_id', '=', ownerId), q.and([q('action', '=', 'TRANSFER_ACCEPTED'), q('other_id', '=', ownerId)])]))
    .execute()
}

/** What is about the user, names him, or was done by him; each part by its own index. */
export function listOfUser(db: Db, userId: string, beforeId: string | undefined) {
  const ids = (column: 'owner_id' | 'other_id' | 'actor_id') => {
    const page = db.selectFrom('activity').select('id').where(column, '=', userId).orderBy('id', 'desc').limit(ACTIVITY_PAGE)
    return (beforeId === undefined ? page : page.where('id', '<', beforeId)).as(column)
  }
  return newestFirst(db, beforeId)
    .where((q) =>
      q.or([
        q('id', 'in', db.selectFrom(ids('owner_id')).select('id')),
        q('id', 'in', db.selectFrom(ids('other_id')).select('id')),
        q('id', 'in', db.selectFrom(ids('actor_id')).select('id')),
      ]),
    )
    .where(sql<boolean>`(role <> 'administrator' or owner_id = ${userId}::uuid or other_id = ${userId}::uuid)`)
    .execute()
}
