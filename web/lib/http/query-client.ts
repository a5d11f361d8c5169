/** When the panel refetches. */
import { MutationCache, type Query, QueryCache, QueryClient } from '@tanstack/react-query'
import { HttpError } from './call.ts'
import { RETRY_DELAY_MS, shouldRetry } from './retry.ts'

/** `onForbidden` receives the key of the query that got a 403; a mutation has none. */
export function createQueryClient(onForbidden: (key: readonly unknown[] | undefined) => void): QueryClient {
  const reportForbidden = (error: Error, key?: readonly unknown[]) => {
    if (error instanceof HttpError && error.status === 403) onForbidden(key)
  }
  const client = new QueryClient({
    queryCache: new QueryCache({ onError: (error, query) => reportForbidden(error, query.queryKey) }),
    mutationCache: new MutationCache({ onError: (error) => reportForbidden(error) }),
    defaultOptions: {
      queries: {
        retry: shouldRetry,
        retryDelay: RETRY_DELAY_MS,
        refetchOnWindowFocus: true,
        refetchOnMount: (query) => query.state.isInvalidated,
        retryOnMount: false,
        refetchOnReconnect: true,
        networkMode: 'always',
      },
      mutations: { retry: shouldRetry, retryDelay: RETRY_DELAY_MS, networkMode: 'always' },
    },
  })
  // Invalidating does not restart a first fetch, whose reply may be older than the change. So the query is refetched afterwards.
  const invalidatedWhilePending = new Set<Query>()
  client.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated') return
    const { action, query } = event
    if (action.type === 'invalidate' && query.state.status === 'pending') invalidatedWhilePending.add(query)
    if (action.type === 'success' && invalidatedWhilePending.delete(query))
      void client.invalidateQueries({ queryKey: query.queryKey, exact: true })
  })
  return client
}
