import type { Insertable } from 'kysely'
import { ACTIVITY_PAGE } from '#contract/activity.ts'
import type { Db } from '#backend/database/open.ts'
import type { Activity } from '#backend/database/tables.ts'

/** Ten parameters a row, of the 65,535 that one statement can have. */
const ROWS_A_STATEMENT = 1000

export async function insertActivity(trx: Db, entries: readonly Insertable<Activity>[]): Promise<void> {
  for (let first = 0; first < entries.length; first += ROWS_A_STATEMENT)
    await trx
      .insertInto('activity')
      .values(entries.slice(first, first + ROWS_A_STATEMENT))
      .execute()
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

/**
 * What is about the user, names him, or was done by him. Each part comes from the end of its own index; asked for with `or` the database
 * would walk everybody's activity until it has a page of his. What an administrator did to others is not his own story.
 */
export function pageOfUser(db: Db, userId: string, beforeId: string | undefined) {
  const ids = (column: 'owner_id' | 'other_id') => {
    const page = db.selectFrom('activity').select('id').where(column, '=', userId).orderBy('id', 'desc').limit(ACTIVITY_PAGE)
    return db.selectFrom((beforeId === undefined ? page : page.where('id', '<', beforeId)).as('page')).select('id')
  }
  const done = db
    .selectFrom('activity')
    .select('id')
    .where('actor_id', '=', userId)
    .where('role', '<>', 'administrator')
    .orderBy('id', 'desc')
    .limit(ACTIVITY_PAGE)
  const byHim = db.selectFrom((beforeId === undefined ? done : done.where('id', '<', beforeId)).as('page')).select('id')
  return newestFirst(db, undefined).where('id', 'in', ids('owner_id').union(ids('other_id')).union(byHim))
}

export function listOfUser(db: Db, userId: string, beforeId: string | undefined) {
  return pageOfUser(db, userId, beforeId).execute()
}
