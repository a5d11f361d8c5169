/** The administrators' queue: all issues, narrowed, sorted and in pages. */
import { sql } from 'kysely'
import type { ISSUE_SORTS, IssuesQuery, QueuedIssue } from '#contract/protection.ts'
import type { PageMeta } from '#contract/paging.ts'
import type { Db } from '#backend/platform/database/open.ts'
import {
  type Condition,
  type SortKey,
  type Paginator,
  type Sql,
  type IndexScan,
  containsText,
  listCacheKey,
  searchTerm,
} from '#backend/platform/database/paging.ts'
import { isUuid } from '#backend/platform/database/uuid.ts'
import { listIssues } from './issues.queries.ts'
import { presentQueue } from './issues.present.ts'

type Sort = (typeof ISSUE_SORTS)[number]

const LAST_SEEN: SortKey = { sql: sql`i.last_seen_at`, type: 'timestamptz' }
const ID: SortKey = { sql: sql`i.id`, type: 'uuid' }
const KEYS: Readonly<Record<Sort, IndexScan['orderBy']>> = {
  last_seen_at: [LAST_SEEN, ID],
  first_seen_at: [{ sql: sql`i.first_seen_at`, type: 'timestamptz' }, ID],
  severity: [{ sql: sql`i.severity_rank`, type: 'integer' }, LAST_SEEN, ID],
  occurrences: [{ sql: sql`i.occurrences`, type: 'bigint' }, ID],
}

export async function queueOf(db: Db, lists: Paginator, query: IssuesQuery): Promise<{ data: QueuedIssue[]; meta: PageMeta }> {
  const sort = query.sort ?? 'last_seen_at'
  const descending = (query.order ?? 'desc') === 'desc'
  const where = conditionsOf(query)
  const walk: IndexScan = { from: sql`protection_issues i`, orderBy: KEYS[sort], descending }
  const { ids, meta } = await lists.page({ cacheKey: listCacheKey('issues', query), scans: [walk], where, isId: isUuid }, query)
  const rows = new Map((await listIssues(db, ids)).map((row) => [row.id, row]))
  const data = await presentQueue(
    db,
    ids.flatMap((id) => rows.get(id) ?? []),
  )
  return { data, meta }
}

function conditionsOf({ kind, status, severity, user_id: userId, server_id: serverId, search }: IssuesQuery): Condition[] {
  const anyOf = (column: string, values: readonly string[] | undefined): Condition[] =>
    values === undefined || values.length === 0 ? [] : [{ predicate: sql`${sql.ref(column)} = any(${values}::text[])` }]
  return [
    ...anyOf('i.kind', kind),
    ...anyOf('i.status', status),
    ...anyOf('i.severity', severity),
    ...(userId === undefined ? [] : [{ predicate: sql`i.user_id = ${userId}::uuid` }]),
    ...(serverId === undefined ? [] : [{ predicate: sql`i.server_id = ${serverId}` }]),
    ...searchConditions(searchTerm(search)),
  ]
}

/** By its owner's name or id on Discord, or its server's name or public id. A deleted server is found by its whole name or id. */
function searchConditions(term: string | undefined): Condition[] {
  if (term === undefined) return []
  const [ofPerson, ofServer] = [containsText(sql`u.search_text`, term), containsText(sql`s.search_text`, term)]
  const people = (test: Sql) => sql`user_id in (select u.id from users u where ${test})`
  const servers = (test: Sql) => sql`server_id in (select s.public_id from servers s where ${test})`
  const gone = [sql`lower(server_name) = lower(${term}::text)`, sql`server_id = ${term}::text`]
  const test = sql`(i.${people(ofPerson.predicate)} or i.${servers(ofServer.predicate)} or i.${gone[1]} or lower(i.server_name) = lower(${term}::text))`
  const parts = [people(ofPerson.indexed ?? ofPerson.predicate), servers(ofServer.indexed ?? ofServer.predicate), ...gone]
  const found = parts.map((part) => sql`select id from protection_issues where ${part}`)
  return [{ predicate: test, indexed: sql`i.id in (${sql.join(found, sql` union `)})` }]
}
