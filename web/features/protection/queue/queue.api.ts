/** Reading the queue. */
import { queryOptions } from '@tanstack/react-query'
import { PROTECTION } from '#web/features/protection/protection.api.ts'
import { call } from '#web/lib/call.ts'
import { queryOf } from '#web/lib/list-search.ts'
import { neverStale } from '#web/ui/table/list-query.ts'
import { type issuesList, shownStatuses } from './issues-list.ts'

type State = ReturnType<typeof issuesList.read>

export function queueOptions(state: State) {
  const { page, per_page, status, kind, severity, ...rest } = queryOf(state)
  const query = {
    ...rest,
    page: String(page),
    per_page: String(per_page),
    status: [...shownStatuses(status)],
    kind: [...kind],
    severity: [...severity],
  }
  return queryOptions({
    ...neverStale,
    queryKey: [PROTECTION, 'queue', query],
    queryFn: ({ signal }) => call('GET /api/admin/protection-issues', { query, signal, whole: true }),
  })
}
