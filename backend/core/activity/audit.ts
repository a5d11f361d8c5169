/** The audit log: all activity, for administrators (docs/decisions/0015). */
import { sql } from 'kysely'
import type { AuditEntry, AuditQuery } from '#contract/events/audit.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { anyOf } from '#backend/platform/database/sql.ts'
import { type PagedList, type Sql, inOrder, searchTerm } from '#backend/platform/database/paging.ts'
import { isUuid } from '#backend/platform/database/uuid.ts'
import { isPublicId } from '#backend/core/servers/server-access.ts'
import { namesIn, presentRow } from './activity.ts'

type Query = Omit<AuditQuery, 'page' | 'per_page' | 'after' | 'before'>

/** Throws `invalid` for a search that no text can match. */
export async function auditList(db: Db, query: Query): Promise<PagedList> {
  const term = searchTerm(query.search)
  // Each filter is a list of alternatives.
  const filters = [
    term === undefined ? undefined : await searchFilter(db, term),
    query.target_id === undefined ? undefined : targetFilter(query.target_id),
    query.actor_id === undefined ? undefined : actorFilter(query.actor_id),
    query.action?.map((action) => sql`a.action = ${action}`),
    query.as?.map((role) => sql`a.role = ${role}`),
  ].filter((filter): filter is Sql[] => filter !== undefined && filter.length > 0)
  return {
    from: sql`activity a`,
    where: filters.map((any) => sql`(${sql.join(any, sql` or `)})`),
    orderBy: [{ sql: sql`a.id`, type: 'bigint' }],
    descending: (query.order ?? 'desc') === 'desc',
    isId: (text) => /^\d{1,18}$/.test(text),
  }
}

const MATCHES_NOTHING = [sql`false`]

function targetFilter(id: string): Sql[] {
  if (isUuid(id.toLowerCase())) return [sql`a.owner_id = ${id}::uuid`, sql`a.other_id = ${id}::uuid`]
  return isPublicId(id) ? [sql`a.server_id = ${id}`] : MATCHES_NOTHING
}

/** Actions as an administrator have their own index. */
function actorFilter(id: string): Sql[] {
  if (!isUuid(id.toLowerCase())) return MATCHES_NOTHING
  return [sql`(a.actor_id = ${id}::uuid and a.role <> 'administrator')`, sql`(a.actor_id = ${id}::uuid and a.role = 'administrator')`]
}

/** Rows about users and servers whose name or id equals the term, ignoring case. */
async function searchFilter(db: Db, term: string): Promise<Sql[]> {
  const { people, servers } = await findByExactName(db, term)
  return [
    ...people.flatMap((id) => [...targetFilter(id), ...actorFilter(id)]),
    ...servers.map((id) => sql`a.server_id = ${id}`),
    // Servers by the name they had at the time, including deleted ones.
    sql`lower(a.server_name) = lower(${term}::text)`,
  ]
}

export async function presentAudit(db: Db, ids: readonly string[]): Promise<AuditEntry[]> {
  if (ids.length === 0) return []
  const rows = await db.selectFrom('activity').selectAll().where('id', '=', anyOf(ids)).execute()
  const names = await namesIn(db, rows)
  const entries = rows.map((row) => ({ ...row, ...presentRow(row, names), user_id: row.other_id }))
  return inOrder(ids, entries, (entry) => entry.id)
}

/** Names can be reused, so a search may match several users or servers. */
const MAX_NAMESAKES = 10

async function findByExactName(db: Db, term: string): Promise<{ people: readonly string[]; servers: readonly string[] }> {
  const id = term.toLowerCase()
  // The id may belong to an erased account, so it isn't looked up.
  if (isUuid(id)) return { people: [id], servers: [] }
  const { rows: people } = await sql<{ id: string }>`
    (select id from users where lower(username) = lower(${term}::text) order by signed_in_at desc limit ${MAX_NAMESAKES})
    union select id from users where discord_id = ${term}::text`.execute(db)
  const { rows: servers } = await sql<{ id: string }>`
    (select public_id as id from servers where lower(name) = lower(${term}::text) limit ${MAX_NAMESAKES})`.execute(db)
  const publicIds = isPublicId(term) ? [term] : []
  return { people: people.map((row) => row.id), servers: [...new Set([...publicIds, ...servers.map((row) => row.id)])] }
}
