/** The queue of all issues: its search parameters and its queries. */
import { queryOptions } from '@tanstack/react-query'
import { ISSUE_KINDS, ISSUE_STATUSES, OPEN_STATUSES, type QueuedIssue, SEVERITIES } from '#contract/protection/protection.ts'
import { PROTECTION } from '#web/features/protection/protection.api.ts'
import { call } from '#web/lib/http/call.ts'
import { anyOf, defineList, matching, queryOf, UUID } from '#web/lib/url/list-search.ts'
import { findRow, neverStale } from '#web/ui/table/list-query.ts'

export const issuesList = defineList({
  sorts: { last_seen_at: 'desc', severity: 'desc', occurrences: 'desc', first_seen_at: 'asc' },
  filters: {
    kind: anyOf(ISSUE_KINDS),
    status: anyOf(ISSUE_STATUSES, OPEN_STATUSES),
    severity: anyOf(SEVERITIES),
    user_id: matching(UUID),
  },
})

export function queueOptions(state: ReturnType<typeof issuesList.read>) {
  const query = queryOf(state)
  return queryOptions({
    ...neverStale,
    queryKey: [PROTECTION, 'queue', query],
    queryFn: ({ signal }) => call('GET /api/admin/protection-issues', { query, signal, fullBody: true }),
  })
}

/** One issue by ID, or null. Its sort key never changes, as `findRow` requires. */
export const queuedIssueOptions = (id: string) =>
  queryOptions({
    queryKey: [PROTECTION, 'queued', id],
    queryFn: ({ signal }): Promise<QueuedIssue | null> =>
      findRow(id, (query) =>
        call('GET /api/admin/protection-issues', { query: { ...query, sort: 'first_seen_at' }, signal, fullBody: true }),
      ),
  })
