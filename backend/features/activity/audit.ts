/** The audit log: everybody's activity, for administrators. What narrows it down most says along which indexes it is read (docs/decisions/0019). */
import { sql } from 'kysely'
import type { Action, ActorRole } from '#contract/activity.ts'
import type { AuditEntry, AuditQuery } from '#contract/audit.ts'
import type { PublicUser } from '#contract/users.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { type Condition, type List, type Sql, nameOfList, searchTerm } from '#backend/platform/database/paging.ts'
import { isUuid } from '#backend/platform/database/uuid.ts'
import { publicUsers } from '#backend/features/users/public-users.ts'
import { type Named, findNamed, listById } from './audit.queries.ts'

type Query = Omit<AuditQuery, 'page' | 'per_page' | 'after' | 'before'>

const BY = [{ sql: sql`a.id`, type: 'bigint' }] as const

/** Throws `invalid` for a search that no text can match. */
export async function listOfAudit(db: Db, query: Query): Promise<List> {
  const term = searchTerm(query.search)
  const named = term === undefined ? undefined : await findNamed(db, term)
  // Any of each; the narrowest first.
  const filters = [
    named === undefined ? undefined : naming(named),
    query.target_id === undefined ? undefined : about(query.target_id),
    query.actor_id === undefined ? undefined : by(query.actor_id),
    query.action?.map((action) => sql`a.action = ${action}`),
    query.as?.map((role) => sql`a.role = ${role}`),
  ].filter((one): one is Sql[] => one !== undefined && one.length > 0)
  const [first, ...others] = filters
  const order = query.order ?? 'desc'
  return {
    name: nameOfList('audit', query),
    walks: [{ from: sql`activity a`, by: BY, descending: order === 'desc', ...(first !== undefined && { any: first }) }],
    where: others.map((any): Condition => ({ test: sql`(${sql.join(any, sql` or `)})` })),
    onlyGrows: first === undefined,
    isId: (text) => /^\d{1,18}$/.test(text),
  }
}

const NOTHING = [sql`false`]

/** Rows that are about a user, or a server. */
function about(id: string): Sql[] {
  if (isUuid(id.toLowerCase())) return [sql`a.owner_id = ${id}::uuid`, sql`a.other_id = ${id}::uuid`]
  return /^[0-9A-Za-z]{7}$/.test(id) ? [sql`a.server_id = ${id}`] : NOTHING
}

/** What an administrator did is in an index of its own. */
function by(id: string): Sql[] {
  if (!isUuid(id.toLowerCase())) return NOTHING
  return [sql`(a.actor_id = ${id}::uuid and a.role <> 'administrator')`, sql`(a.actor_id = ${id}::uuid and a.role = 'administrator')`]
}

function naming({ people, servers, term }: Named): Sql[] {
  return [
    ...people.flatMap((id) => [...about(id), ...by(id)]),
    ...servers.map((id) => sql`a.server_id = ${id}`),
    // Under the name it had then, also where it is gone.
    sql`lower(a.server_name) = lower(${term}::text)`,
  ]
}

/** In the order of the ids. */
export async function presentAudit(db: Db, ids: readonly string[]): Promise<AuditEntry[]> {
  if (ids.length === 0) return []
  const rows = new Map((await listById(db, ids)).map((row) => [row.id, row]))
  const people = await publicUsers(
    db,
    [...rows.values()].flatMap((row) => [row.actor_id, row.owner_id, row.other_id]),
  )
  const person = (id: string | null): PublicUser | null => (id === null ? null : (people.get(id) ?? null))
  return ids.flatMap((id): AuditEntry[] => {
    const row = rows.get(id)
    if (row === undefined) return []
    return [
      {
        id: row.id,
        at: row.at.toISOString(),
        action: row.action as Action,
        as: row.role as ActorRole,
        actor_id: row.actor_id,
        actor: person(row.actor_id),
        owner_id: row.owner_id,
        owner: person(row.owner_id),
        user_id: row.other_id,
        user: person(row.other_id),
        server: row.server_id === null ? null : { public_id: row.server_id, name: row.server_name ?? row.server_id },
        before: row.before,
        after: row.after,
      },
    ]
  })
}
