import { keepPreviousData } from '@tanstack/react-query'

/** How often a list that somebody looks at is read anew. */
const EVERY_MS = 15_000

/**
 * For the query of a list that is never stale: read anew whenever it is shown, looked at again, and every few seconds while it is. The
 * rows that are there stay in their place until the new ones come; what nobody has shown for a while is forgotten, never shown again.
 */
export const neverStale = {
  staleTime: 0,
  gcTime: EVERY_MS,
  refetchOnMount: 'always',
  refetchOnWindowFocus: 'always',
  refetchOnReconnect: 'always',
  refetchInterval: EVERY_MS,
  retryOnMount: true,
  placeholderData: keepPreviousData,
} as const
