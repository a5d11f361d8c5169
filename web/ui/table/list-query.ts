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

interface Neighbours {
  order: 'asc' | 'desc'
  per_page: string
  after?: string
  before?: string
}

/**
 * One row by its id, wherever in the list it stands; null where there is none. A list is read after a row or before one: the row itself
 * comes before its older neighbour.
 */
export async function findRow<R extends { readonly id: string }>(
  id: string,
  read: (query: Neighbours) => Promise<{ data: readonly R[] }>,
): Promise<R | null> {
  const { data: older } = await read({ order: 'desc', per_page: '1', after: id })
  const { data } = await read(older[0] ? { order: 'desc', per_page: '1', before: older[0].id } : { order: 'asc', per_page: '1' })
  return data.find((row) => row.id === id) ?? null
}
