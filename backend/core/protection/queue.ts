/** The administrators' queue: all issues, filtered, sorted and paged. */
import { sql } from 'kysely'
import type { ISSUE_SORTS, IssuesQuery, QueuedIssue } from '#contract/protection/protection.ts'
import type { PageMeta } from '#contract/api/paging.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { type PagedList, type SortKey, type Sql, containsText, inOrder, readPage, searchTerm } from '#backend/platform/database/paging.ts'
import { isUuid } from '#backend/platform/database/uuid.ts'
import { publicUsers } from '#backend/core/users/public-users.ts'
import { listIssues } from './issues.queries.ts'
import { presentIssue } from './issues.present.ts'

type Sort = (typeof ISSUE_SORTS)[number]

const LAST_SEEN: SortKey = { sql: sql`i.last_seen_at`, type: 'timestamptz' }
const ID: SortKey = { sql: sql`i.id`, type: 'uuid' }
const KEYS: Readonly<Record<Sort, PagedList['orderBy']>> = {
  last_seen_at: [LAST_SEEN, ID],
  first_seen_at: [{ sql: sql`i.first_seen_at`, type: 'timestamptz' }, ID],
  severity: [{ sql: sql`i.severity_rank`, type: 'integer' }, LAST_SEEN, ID],
  occurrences: [{ sql: sql`i.occurrences`, type: 'bigint' }, ID],
}

export async function queueOf(db: Db, query: IssuesQuery): Promise<{ data: QueuedIssue[]; meta: PageMeta }> {
  const sort = query.sort ?? 'last_seen_at'
  const descending = (query.order ?? 'desc') === 'desc'
  const list = { from: sql`protection_issues i`, where: conditionsOf(query), orderBy: KEYS[sort], descending, isId: isUuid }
  const { ids, meta } = await readPage(db, list, query)
  const rows = await listIssues(db, ids)
  const owners = await publicUsers(
    db,
    rows.map((row) => row.user_id),
  )
  const data = inOrder(ids, rows, (row) => row.id).flatMap((row) => {
    const user = owners.get(row.user_id)
    // Leaves out issues whose owner was just erased.
    return user === undefined ? [] : [{ ...presentIssue(row), user }]
  })
  return { data, meta }
}

function conditionsOf({ kind, status, severity, user_id: userId, server_id: serverId, search }: IssuesQuery): Sql[] {
  const ifGiven = (column: string, values: readonly string[] | undefined): Sql[] =>
    values === undefined || values.length === 0 ? [] : [sql`${sql.ref(column)} = any(${values}::text[])`]
  const term = searchTerm(search)
  return [
    ...ifGiven('i.kind', kind),
    ...ifGiven('i.status', status),
    ...ifGiven('i.severity', severity),
    ...(userId === undefined ? [] : [sql`i.user_id = ${userId}::uuid`]),
    ...(serverId === undefined ? [] : [sql`i.server_id = ${serverId}`]),
    ...(term === undefined ? [] : [searchCondition(term)]),
  ]
}

/** Matches the owner's name or Discord ID, or the server's name or public ID. Deleted servers match by full name or ID only. */
function searchCondition(term: string): Sql {
  return sql`(
    i.user_id in (select u.id from users u where ${containsText(sql`u.search_text`, term)})
    or i.server_id in (select s.public_id from servers s where ${containsText(sql`s.search_text`, term)})
    or i.server_id = ${term}::text or lower(i.server_name) = lower(${term}::text))`
}
