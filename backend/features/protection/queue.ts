/** The administrators' queue: all issues, narrowed, sorted and in pages. */
import { sql } from 'kysely'
import type { ISSUE_SORTS, IssuesQuery, QueuedIssue } from '#contract/protection.ts'
import type { PageMeta } from '#contract/paging.ts'
import type { Db } from '#backend/database/open.ts'
import { type Condition, type Key, type Lists, type Walk, matching, searchTerm } from '#backend/database/paging.ts'
import { isUuid } from '#backend/database/uuid.ts'
import { listIssues } from './issues.queries.ts'
import { presentQueue } from './issues.present.ts'

type Sort = (typeof ISSUE_SORTS)[number]

const KEYS: Readonly<Record<Sort, Key>> = {
  last_seen_at: { sql: sql`i.last_seen_at`, type: 'timestamptz' },
  first_seen_at: { sql: sql`i.first_seen_at`, type: 'timestamptz' },
  severity: { sql: sql`i.severity_rank`, type: 'integer' },
  occurrences: { sql: sql`i.occurrences`, type: 'bigint' },
}
const ID: Key = { sql: sql`i.id`, type: 'uuid' }

/** One page of the queue. */
export async function queueOf(db: Db, lists: Lists, query: IssuesQuery): Promise<{ data: QueuedIssue[]; meta: PageMeta }> {
  const sort = query.sort ?? 'last_seen_at'
  const descending = (query.order ?? 'desc') === 'desc'
  const where = conditionsOf(query)
  const walk: Walk = { from: sql`protection_issues i`, by: [KEYS[sort], ID], descending }
  const { ids, meta } = await lists.page(
    { name: `issues ${JSON.stringify(narrowing(query))}`, order: `${sort} ${descending}`, walks: [walk], where, isId: isUuid },
    query,
  )
  const rows = new Map((await listIssues(db, ids)).map((row) => [row.id, row]))
  const data = await presentQueue(
    db,
    ids.flatMap((id) => rows.get(id) ?? []),
  )
  return { data, meta }
}

const narrowing = ({ kind, status, severity, user_id, server_id, search }: IssuesQuery) => [
  kind,
  status,
  severity,
  user_id,
  server_id,
  search,
]

function conditionsOf({ kind, status, severity, user_id: userId, server_id: serverId, search }: IssuesQuery): Condition[] {
  const anyOf = (column: string, values: readonly string[] | undefined): Condition[] =>
    values === undefined || values.length === 0 ? [] : [{ test: sql`${sql.ref(column)} = any(${values}::text[])` }]
  return [
    ...anyOf('i.kind', kind),
    ...anyOf('i.status', status),
    ...anyOf('i.severity', severity),
    ...(userId === undefined ? [] : [{ test: sql`i.user_id = ${userId}::uuid` }]),
    ...(serverId === undefined ? [] : [{ test: sql`i.server_id = ${serverId}` }]),
    ...searching(searchTerm(search)),
  ]
}

/** Its person by name or id on Discord, or its server by name or public id; a server's text has its owner's name in it, too. */
function searching(term: string | undefined): Condition[] {
  if (term === undefined) return []
  const [ofPerson, ofServer] = [matching(sql`u.search_text`, term), matching(sql`s.search_text`, term)]
  const one = (person: Condition['test'], server: Condition['test']) => sql`(
    i.user_id in (select u.id from users u where ${person})
    or i.server_id in (select s.public_id from servers s where ${server}) or lower(i.server_name) = lower(${term}) or i.server_id = ${term})`
  return [{ test: one(ofPerson.test, ofServer.test), found: one(ofPerson.found ?? ofPerson.test, ofServer.found ?? ofServer.test) }]
}
