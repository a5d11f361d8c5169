/** Reading how many players there were. A minute is the finest step, so what is shown is read again each minute. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { HistoryRange } from '#contract/history.ts'
import { call } from '#web/lib/call.ts'

/** Also on mount: a graph whose newest minute is missing looks as if the server were offline. The previous range stays meanwhile. */
const fresh = { refetchInterval: 60_000, refetchOnMount: 'always', placeholderData: keepPreviousData } as const

/** Its key begins with `history`, so no event invalidates it. */
export const serverHistoryOptions = (id: string, range: HistoryRange, asAdmin: boolean) =>
  queryOptions({
    queryKey: ['history', asAdmin ? 'admin' : 'own', id, range],
    queryFn: ({ signal }) =>
      asAdmin
        ? call('GET /api/admin/tokens/{id}/history', { params: { id }, query: { range }, signal })
        : call('GET /api/users/tokens/{id}/history', { params: { id }, query: { range }, signal }),
    ...fresh,
  })

export const listHistoryOptions = (range: HistoryRange) =>
  queryOptions({
    queryKey: ['history', 'list', range],
    queryFn: ({ signal }) => call('GET /api/admin/history', { query: { range }, signal }),
    ...fresh,
  })
