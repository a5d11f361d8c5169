/** The audit log: its search parameters, and its queries, newest first. They poll, because any change adds entries. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { AuditEntry } from '#contract/events/audit.ts'
import { ACTIONS, ACTOR_ROLES } from '#contract/events/events.ts'
import type { PER_PAGE } from '#contract/api/paging.ts'
import { call } from '#web/lib/http/call.ts'
import { anyOf, defineList, matching, queryOf, UUID } from '#web/lib/url/list-search.ts'
import { findRow, neverStale } from '#web/ui/table/list-query.ts'

const POLL_MS = 10_000

/** The contract's number, without importing the contract's code. */
const PAGE_SIZE: (typeof PER_PAGE)['default'] = 50

export const auditList = defineList({
  sorts: { at: 'desc' },
  filters: {
    actor_id: matching(UUID),
    /** The ID of a user or a server. */
    target_id: matching(/^(?:[0-9A-Za-z]{7}|[0-9A-Fa-f-]{36})$/),
    action: anyOf(ACTIONS),
    as: anyOf(ACTOR_ROLES),
  },
})

export const auditOptions = (state: ReturnType<typeof auditList.read>) => {
  const query = queryOf(state)
  return queryOptions({
    ...neverStale,
    queryKey: ['admin', 'audit', 'page', query],
    queryFn: ({ signal }) => call('GET /api/admin/audit', { query, signal, fullBody: true }),
  })
}

export const auditTargetOptions = (targetId: string) =>
  infiniteQueryOptions({
    queryKey: ['admin', 'audit', 'of', targetId],
    queryFn: ({ pageParam: after, signal }) =>
      call('GET /api/admin/audit', { query: { target_id: targetId, per_page: String(PAGE_SIZE), after }, signal, fullBody: true }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ data }) => (data.length < PAGE_SIZE ? undefined : data.at(-1)?.id),
    select: ({ pages }) => pages.flatMap(({ data }) => data),
    // Polls the first page only: readers of older pages don't need new entries.
    refetchInterval: ({ state: { data } }) => (data === undefined || data.pages.length === 1 ? POLL_MS : false),
    refetchOnMount: 'always',
  })

export const auditEntryOptions = (id: string) =>
  queryOptions({
    queryKey: ['admin', 'audit', 'entry', id],
    queryFn: ({ signal }): Promise<AuditEntry | null> =>
      findRow(id, (query) => call('GET /api/admin/audit', { query, signal, fullBody: true })),
  })
