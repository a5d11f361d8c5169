/** The activity log as users see it: entries about them and their servers. */
import type { ActivityEntry } from '#contract/activity.ts'
import type { Action, ActorRole } from '#contract/events.ts'
import type { PublicUser } from '#contract/users.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { publicUsers } from '#backend/features/users/public-users.ts'
import { type ActivityRow, listServerActivity, userActivityPage } from './activity.queries.ts'

export async function getServerActivity(db: Db, ownerId: string, publicId: string, beforeId?: string): Promise<ActivityEntry[]> {
  return presentForUser(db, ownerId, await listServerActivity(db, ownerId, publicId, beforeId))
}

export async function getUserActivity(db: Db, userId: string, beforeId?: string): Promise<ActivityEntry[]> {
  return presentForUser(db, userId, await userActivityPage(db, userId, beforeId).execute())
}

async function presentForUser(db: Db, viewerId: string, rows: readonly ActivityRow[]): Promise<ActivityEntry[]> {
  const people = await peopleIn(db, rows)
  return rows.map((row) => presentRow(maskedFor(viewerId, row), people))
}

/** Only administrators may know which administrator acted. The name of an API key is for its user. */
function maskedFor(viewerId: string, row: ActivityRow): ActivityRow {
  return {
    ...row,
    actor_id: row.role === 'administrator' ? null : row.actor_id,
    api_key_name: row.actor_id === viewerId ? row.api_key_name : null,
  }
}

/** The users that rows name, by id. Leaves out erased ones. */
export function peopleIn(db: Db, rows: readonly ActivityRow[]): Promise<ReadonlyMap<string, PublicUser>> {
  return publicUsers(
    db,
    rows.flatMap((row) => [row.actor_id, row.other_id, row.owner_id]),
  )
}

export function presentRow(row: ActivityRow, people: ReadonlyMap<string, PublicUser>): ActivityEntry {
  const person = (id: string | null) => (id === null ? null : (people.get(id) ?? null))
  return {
    id: row.id,
    at: row.at.toISOString(),
    action: row.action as Action,
    as: row.role as ActorRole,
    actor: person(row.actor_id),
    owner: person(row.owner_id),
    server: row.server_id === null ? null : { public_id: row.server_id, name: row.server_name ?? row.server_id },
    user: person(row.other_id),
    api_key: row.api_key_name,
    before: row.before,
    after: row.after,
  }
}
