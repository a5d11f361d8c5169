import { keepPreviousData } from '@tanstack/react-query'

/** How often a list that somebody looks at is read anew. */
const EVERY_MS = 15_000

/**
 * For the lists of administrators, which never go stale (product.md section 9): nothing reads them again for their age, a mount or a focus.
 * They are read again every few seconds while they are in sight, and after each act, which invalidates them. Nothing is kept for longer than
 * that once it is out of sight.
 */
export const neverStale = {
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: EVERY_MS,
  // What was invalidated counts as stale all the same.
  refetchOnMount: true,
  refetchInterval: EVERY_MS,
  retryOnMount: true,
  placeholderData: keepPreviousData,
} as const
