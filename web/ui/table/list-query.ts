import { keepPreviousData } from '@tanstack/react-query'

const POLL_MS = 15_000

/**
 * Query options of administrators' lists, which never go stale. They are polled while visible, refetched after each
 * action, and soon dropped from the cache.
 */
export const neverStale = {
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: POLL_MS,
  // Refetches invalidated queries, which count as stale.
  refetchOnMount: true,
  refetchInterval: POLL_MS,
  retryOnMount: true,
  placeholderData: keepPreviousData,
} as const

/**
 * Finds a row on any page by its ID, or null. A list can only be read relative to a row. This reads the older neighbour,
 * then the row before it.
 */
export async function findRow<R extends { readonly id: string }>(
  id: string,
  read: (query: { order: 'asc' | 'desc'; per_page: string; after?: string; before?: string }) => Promise<{ data: readonly R[] }>,
): Promise<R | null> {
  const { data: older } = await read({ order: 'desc', per_page: '1', after: id })
  const { data } = await read(older[0] ? { order: 'desc', per_page: '1', before: older[0].id } : { order: 'asc', per_page: '1' })
  return data.find((row) => row.id === id) ?? null
}
