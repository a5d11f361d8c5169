/** The activity log as users see it: entries about them and their servers. */
import { type ActivityEntry, ACTIVITY_PAGE } from '#contract/events/activity.ts'
import type { Action, ActorRole } from '#contract/events/events.ts'
import type { PublicUser } from '#contract/users/users.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { publicUsers } from '#backend/core/users/public-users.ts'

export async function getServerActivity(db: Db, ownerId: string, publicId: string, beforeId?: string): Promise<ActivityEntry[]> {
  return presentForUser(db, ownerId, await listServerActivity(db, ownerId, publicId, beforeId))
}

export async function getUserActivity(db: Db, userId: string, beforeId?: string): Promise<ActivityEntry[]> {
  return presentForUser(db, userId, await userActivityPage(db, userId, beforeId).execute())
}

async function presentForUser(db: Db, viewerId: string, rows: readonly ActivityRow[]): Promise<ActivityEntry[]> {
  const names = await namesIn(db, rows)
  return rows.map((row) => presentRow(maskedFor(viewerId, row), names))
}

/** Only administrators may know which administrator acted. The name of an API key is for its user. */
function maskedFor(viewerId: string, row: ActivityRow): ActivityRow {
  return {
    ...row,
    actor_id: row.role === 'administrator' ? null : row.actor_id,
    api_key_name: row.actor_id === viewerId ? row.api_key_name : null,
  }
}

/** What rows name, by id: users, groups, and servers whose name is not in the row. Leaves out those that no longer exist. */
interface Names {
  readonly people: ReadonlyMap<string, PublicUser>
  readonly groups: ReadonlyMap<string, string>
  readonly servers: ReadonlyMap<string, string>
}

export async function namesIn(db: Db, rows: readonly ActivityRow[]): Promise<Names> {
  const [people, groups, servers] = await Promise.all([
    publicUsers(
      db,
      rows.flatMap((row) => [row.actor_id, row.other_id, row.owner_id]),
    ),
    listGroupNames(db, [...new Set(rows.flatMap(groupIdsOf))]),
    listServerNames(
      db,
      rows.flatMap((row) => (row.server_name === null && row.server_id !== null ? [row.server_id] : [])),
    ),
  ])
  return {
    people,
    groups: new Map(groups.map(({ id, name }) => [id, name])),
    servers: new Map(servers.map(({ public_id, name }) => [public_id, name])),
  }
}

const groupIdsOf = ({ before, after }: ActivityRow): string[] =>
  [before?.['group_id'], after?.['group_id']].filter((id) => typeof id === 'string')

export function presentRow(row: ActivityRow, { people, groups, servers }: Names): ActivityEntry {
  const person = (id: string | null) => (id === null ? null : (people.get(id) ?? null))
  const groupNames = groupIdsOf(row).flatMap((id) => {
    const name = groups.get(id)
    return name === undefined ? [] : [[id, name]]
  })
  return {
    id: row.id,
    at: row.at.toISOString(),
    action: row.action as Action,
    as: row.role as ActorRole,
    actor: person(row.actor_id),
    owner: person(row.owner_id),
    server:
      row.server_id === null ? null : { public_id: row.server_id, name: row.server_name ?? servers.get(row.server_id) ?? row.server_id },
    user: person(row.other_id),
    api_key: row.api_key_name,
    before: row.before,
    after: row.after,
    group_names: Object.fromEntries(groupNames) as Record<string, string>,
  }
}

type ActivityRow = Awaited<ReturnType<typeof listServerActivity>>[number]

function newestPage(db: Db, beforeId: string | undefined) {
  const page = db.selectFrom('activity').orderBy('id', 'desc').limit(ACTIVITY_PAGE)
  return beforeId === undefined ? page : page.where('id', '<', beforeId)
}

/** A server's activity under its current owner, from their acceptance on. Former owners' entries stay private to them. */
function listServerActivity(db: Db, ownerId: string, publicId: string, beforeId: string | undefined) {
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

async function listGroupNames(db: Db, ids: readonly string[]): Promise<readonly { id: string; name: string }[]> {
  if (ids.length === 0) return []
  return db.selectFrom('server_groups').select(['id', 'name']).where('id', 'in', ids).execute()
}

/** Only of servers that anyone can see: a reporter must not learn the new name of one that was hidden. */
async function listServerNames(db: Db, publicIds: readonly string[]): Promise<readonly { public_id: string; name: string }[]> {
  if (publicIds.length === 0) return []
  return db
    .selectFrom('servers')
    .select(['public_id', 'name'])
    .where('public_id', 'in', publicIds)
    .where('visible', '=', true)
    .where('banned', '=', false)
    .execute()
}
