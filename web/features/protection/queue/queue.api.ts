import { queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import type { IssuesQuery, QueuedIssue } from '#contract/protection.ts'
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

type Query = z.input<typeof IssuesQuery>

/**
 * One issue by its id alone, wherever in the queue it stands; null where there is none. The queue is read behind an issue or before one:
 * the issue itself stands before its older neighbour, in an order that nothing changes.
 */
export const queuedIssueOptions = (id: string) =>
  queryOptions({
    queryKey: [PROTECTION, 'queued', id],
    queryFn: async ({ signal }): Promise<QueuedIssue | null> => {
      const read = (query: Query) =>
        call('GET /api/admin/protection-issues', { query: { ...query, sort: 'first_seen_at', per_page: '1' }, signal, whole: true })
      const { data: older } = await read({ order: 'desc', after: id })
      const { data } = await read(older[0] ? { order: 'desc', before: older[0].id } : { order: 'asc' })
      return data.find((issue) => issue.id === id) ?? null
    },
  })
