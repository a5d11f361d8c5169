/** Queries of player history. The finest step is one minute, so shown data is refetched every minute. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { HistoryRange } from '#contract/history/history.ts'
import { call } from '#web/lib/http/call.ts'

/** Refetches on mount: without the newest minute, a server looks offline. */
const refetch = { refetchInterval: 60_000, refetchOnMount: 'always', placeholderData: keepPreviousData } as const

/** No event invalidates keys that start with `history`. */
export const serverHistoryOptions = (id: string, range: HistoryRange, asAdmin: boolean, weeksAgo: '0' | '1' = '0') =>
  queryOptions({
    queryKey: ['history', asAdmin ? 'admin' : 'own', id, range, weeksAgo],
    queryFn: ({ signal }) => {
      const query = weeksAgo === '0' ? { range } : { range, weeks_ago: weeksAgo }
      return asAdmin
        ? call('GET /api/admin/tokens/{id}/history', { params: { id }, query, signal })
        : call('GET /api/users/tokens/{id}/history', { params: { id }, query, signal })
    },
    ...refetch,
  })

/** The restarts, updates and bans in a range. */
export const serverEventsOptions = (id: string, range: HistoryRange, asAdmin: boolean) =>
  queryOptions({
    queryKey: ['history', asAdmin ? 'admin' : 'own', id, range, 'events'],
    queryFn: ({ signal }) =>
      asAdmin
        ? call('GET /api/admin/tokens/{id}/historyEvents', { params: { id }, query: { range }, signal })
        : call('GET /api/users/tokens/{id}/historyEvents', { params: { id }, query: { range }, signal }),
    ...refetch,
  })

export const listHistoryOptions = (range: HistoryRange) =>
  queryOptions({
    queryKey: ['history', 'list', range],
    queryFn: ({ signal }) => call('GET /api/admin/history', { query: { range }, signal }),
    ...refetch,
  })

/** What the list is now, its growth, and its largest servers. */
export const statisticsOptions = queryOptions({
  queryKey: ['history', 'statistics'],
  queryFn: ({ signal }) => call('GET /api/admin/statistics', { signal }),
  refetchInterval: 60_000,
  refetchOnMount: 'always',
})
