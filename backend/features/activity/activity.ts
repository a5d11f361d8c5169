/** What happened: one row in the same transaction as each change, so that neither is ever without the other. */
import type { Action, ActivityEntry, ActorRole } from '#contract/activity.ts'
import type { PublicUser } from '#contract/users.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { publicUsers } from '#backend/features/users/public-users.ts'
import { type ActivityRow, insertActivity, listOfServer, listOfUser } from './activity.queries.ts'

type Values = Readonly<Record<string, unknown>>

/** @property ownerId whose account or server it is about. @property otherId the other person in it. */
export interface Happening {
  readonly action: Action
  readonly as: ActorRole
  /** Null for the program itself. */
  readonly actorId: string | null
  readonly ownerId: string | null
  readonly otherId?: string
  readonly server?: { readonly public_id: string; readonly name: string }
  /** Only what changed, and never a secret. */
  readonly before?: Values
  readonly after?: Values
}

/** Writes down what happens in this transaction. */
export async function record(trx: Db, ...happenings: readonly Happening[]): Promise<void> {
  if (happenings.length === 0) return
  await insertActivity(
    trx,
    happenings.map(({ action, as, actorId, ownerId, otherId, server, before, after }) => ({
      action,
      role: as,
      actor_id: actorId,
      owner_id: ownerId,
      other_id: otherId ?? null,
      server_id: server?.public_id ?? null,
      server_name: server?.name ?? null,
      before: before === undefined ? null : JSON.stringify(before),
      after: after === undefined ? null : JSON.stringify(after),
    })),
  )
}

/** The fields of `next` that differ from `row`, as they were and as they become; undefined where nothing changes. */
export function differences(row: Values, next: Values): { before: Values; after: Values } | undefined {
  const changed = Object.keys(next).filter((field) => JSON.stringify(row[field] ?? null) !== JSON.stringify(next[field] ?? null))
  if (changed.length === 0) return undefined
  const pick = (from: Values) => Object.fromEntries(changed.map((field) => [field, from[field] ?? null]))
  return { before: pick(row), after: pick(next) }
}

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
