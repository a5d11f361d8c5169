import { queryOptions } from '@tanstack/react-query'
import type { QueuedIssue } from '#contract/protection/protection.ts'
import { PROTECTION } from '#web/features/protection/protection.api.ts'
import { call } from '#web/lib/http/call.ts'
import { queryOf } from '#web/lib/url/list-search.ts'
import { findRow, neverStale } from '#web/ui/table/list-query.ts'
import { type issuesList, statusesFromUrl } from './issues-list.ts'

type State = ReturnType<typeof issuesList.read>

export function queueOptions(state: State) {
  const { status, ...rest } = queryOf(state)
  const query = { ...rest, status: [...statusesFromUrl(status)] }
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
