import { ACTIVITY_PAGE } from '#contract/activity.ts'
import type { Db } from '#backend/platform/database/open.ts'

export type ActivityRow = Awaited<ReturnType<typeof listServerActivity>>[number]

function newestPage(db: Db, beforeId: string | undefined) {
  const page = db.selectFrom('activity').orderBy('id', 'desc').limit(ACTIVITY_PAGE)
  return beforeId === undefined ? page : page.where('id', '<', beforeId)
}

/** What its former owners did is theirs; the present one's part begins with their acceptance. */
export function listServerActivity(db: Db, ownerId: string, publicId: string, beforeId: string | undefined) {
  return newestPage(db, beforeId)
    .selectAll()
    .where('server_id', '=', publicId)
    .where((q) => q.or([q('owner_id', '=', ownerId), q.and([q('action', '=', 'TRANSFER_ACCEPTED'), q('other_id', '=', ownerId)])]))
    .execute()
}

/**
 * What is about the user, names them, or was done by them, but for what they did to others as an administrator. Each part comes from the end
 * of its own index; asked for with `or` the database would walk everybody's activity.
 */
export function userActivityPage(db: Db, userId: string, beforeId: string | undefined) {
  const naming = (column: 'owner_id' | 'other_id' | 'actor_id') => newestPage(db, beforeId).select('id').where(column, '=', userId)
  const ids = (page: ReturnType<typeof naming>) => db.selectFrom(page.as('page')).select('id')
  const [about, withHim] = [ids(naming('owner_id')), ids(naming('other_id'))]
  const byHim = ids(naming('actor_id').where('role', '<>', 'administrator'))
  return newestPage(db, undefined).selectAll().where('id', 'in', about.union(withHim).union(byHim))
}
