/** What happened, for the people it is about. */
import type { Action, ActivityEntry, ActorRole } from '#contract/activity.ts'
import type { PublicUser } from '#contract/users.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { publicUsers } from '#backend/features/users/public-users.ts'
import { type ActivityRow, listOfServer, listOfUser } from './activity.queries.ts'

/** Of one server, for its owner: since it is his. */
export async function activityOfServer(db: Db, ownerId: string, publicId: string, beforeId?: string): Promise<ActivityEntry[]> {
  return present(db, await listOfServer(db, ownerId, publicId, beforeId))
}

/** Of a person: about him, with him, or by him. */
export async function activityOfUser(db: Db, userId: string, beforeId?: string): Promise<ActivityEntry[]> {
  return present(db, await listOfUser(db, userId, beforeId))
}

async function present(db: Db, rows: readonly ActivityRow[]): Promise<ActivityEntry[]> {
  const people = await publicUsers(
    db,
    rows.flatMap((row) => [row.actor_id, row.other_id, row.owner_id]),
  )
  return rows.map((row) => presentOne(row, people))
}

function presentOne(row: ActivityRow, people: ReadonlyMap<string, PublicUser>): ActivityEntry {
  const person = (id: string | null) => (id === null ? null : (people.get(id) ?? null))
  const as = row.role as ActorRole
  return {
    id: row.id,
    at: row.at.toISOString(),
    action: row.action as Action,
    as,
    // Which administrator it was is for administrators to know.
    actor: as === 'administrator' ? null : person(row.actor_id),
    owner: person(row.owner_id),
    server: row.server_id === null ? null : { public_id: row.server_id, name: row.server_name ?? row.server_id },
    user: person(row.other_id),
    before: row.before,
    after: row.after,
  }
}
