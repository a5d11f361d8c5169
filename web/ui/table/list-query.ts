import { keepPreviousData } from '@tanstack/react-query'

const EVERY_MS = 15_000

/**
 * For administrators' lists, which never go stale (product.md section 9): read again while in sight and after each act, forgotten soon after.
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
