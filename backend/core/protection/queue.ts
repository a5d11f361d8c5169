/** The administrators' queue: all issues, filtered, sorted and paged. */
import { sql } from 'kysely'
import type { ISSUE_SORTS, IssuesQuery, QueuedIssue } from '#contract/protection/protection.ts'
import type { PageMeta } from '#contract/api/paging.ts'
import type { Db } from '#backend/platform/database/open.ts'
import {
  type Condition,
  type SortKey,
  type Sql,
  type IndexScan,
  containsText,
  readPage,
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

export async function queueOf(db: Db, query: IssuesQuery): Promise<{ data: QueuedIssue[]; meta: PageMeta }> {
  const sort = query.sort ?? 'last_seen_at'
  const descending = (query.order ?? 'desc') === 'desc'
  const where = conditionsOf(query)
  const scan: IndexScan = { from: sql`protection_issues i`, orderBy: KEYS[sort], descending }
  const { ids, meta } = await readPage(db, { scans: [scan], where, isId: isUuid }, query)
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

/** Matches the owner's name or Discord ID, or the server's name or public ID. Deleted servers match by full name or ID only. */
function searchConditions(term: string | undefined): Condition[] {
  if (term === undefined) return []
  const [userMatch, serverMatch] = [containsText(sql`u.search_text`, term), containsText(sql`s.search_text`, term)]
  const byUser = (predicate: Sql) => sql`user_id in (select u.id from users u where ${predicate})`
  const byServer = (predicate: Sql) => sql`server_id in (select s.public_id from servers s where ${predicate})`
  const byDeletedServer = [sql`lower(server_name) = lower(${term}::text)`, sql`server_id = ${term}::text`]
  const predicate = sql`(i.${byUser(userMatch.predicate)} or i.${byServer(serverMatch.predicate)} or i.${byDeletedServer[1]} or lower(i.server_name) = lower(${term}::text))`
  const alternatives = [
    byUser(userMatch.indexed ?? userMatch.predicate),
    byServer(serverMatch.indexed ?? serverMatch.predicate),
    ...byDeletedServer,
  ]
  const queries = alternatives.map((condition) => sql`select id from protection_issues where ${condition}`)
  return [{ predicate, indexed: sql`i.id in (${sql.join(queries, sql` union `)})` }]
}
