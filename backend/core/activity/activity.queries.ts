import { ACTIVITY_PAGE } from '#contract/events/activity.ts'
import type { Db } from '#backend/platform/database/open.ts'

export type ActivityRow = Awaited<ReturnType<typeof listServerActivity>>[number]

function newestPage(db: Db, beforeId: string | undefined) {
  const page = db.selectFrom('activity').orderBy('id', 'desc').limit(ACTIVITY_PAGE)
  return beforeId === undefined ? page : page.where('id', '<', beforeId)
}

/** A server's activity under its current owner, from their acceptance on. Former owners' entries stay private to them. */
export function listServerActivity(db: Db, ownerId: string, publicId: string, beforeId: string | undefined) {
  return newestPage(db, beforeId)
    .selectAll()
    .where('server_id', '=', publicId)
    .where((q) => q.or([q('owner_id', '=', ownerId), q.and([q('action', '=', 'TRANSFER_ACCEPTED'), q('other_id', '=', ownerId)])]))
    .execute()
}

/**
 * Entries about the user, entries that name them, and their own actions, except those as an administrator. Each part reads the end of its own
 * index; with `or`, the database would scan everyone's activity.
 */
export function userActivityPage(db: Db, userId: string, beforeId: string | undefined) {
  const naming = (column: 'owner_id' | 'other_id' | 'actor_id') => newestPage(db, beforeId).select('id').where(column, '=', userId)
  const ids = (page: ReturnType<typeof naming>) => db.selectFrom(page.as('page')).select('id')
  const [about, mentioning] = [ids(naming('owner_id')), ids(naming('other_id'))]
  const actions = ids(naming('actor_id').where('role', '<>', 'administrator'))
  return newestPage(db, undefined).selectAll().where('id', 'in', about.union(mentioning).union(actions))
}

export async function listGroupNames(db: Db, ids: readonly string[]): Promise<readonly { id: string; name: string }[]> {
  if (ids.length === 0) return []
  return db.selectFrom('server_groups').select(['id', 'name']).where('id', 'in', ids).execute()
}

/** Only of servers that anyone can see: a reporter must not learn the new name of one that was hidden. */
export async function listServerNames(db: Db, publicIds: readonly string[]): Promise<readonly { public_id: string; name: string }[]> {
  if (publicIds.length === 0) return []
  return db
    .selectFrom('servers')
    .select(['public_id', 'name'])
    .where('public_id', 'in', publicIds)
    .where('visible', '=', true)
    .where('banned', '=', false)
    .execute()
}
