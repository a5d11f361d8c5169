/** Activity queries, paginated and newest first. */
import { type InfiniteData, infiniteQueryOptions } from '@tanstack/react-query'
import type { ACTIVITY_PAGE, ActivityEntry } from '#contract/events/activity.ts'
import { call } from '#web/lib/http/call.ts'

/** The contract's number, without importing the contract's code. */
export const PAGE_SIZE: typeof ACTIVITY_PAGE = 50

const paging = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page: readonly ActivityEntry[]) => (page.length < PAGE_SIZE ? undefined : page.at(-1)?.id),
  select: ({ pages }: InfiniteData<readonly ActivityEntry[], unknown>) => pages.flat(),
}

export const accountActivityOptions = infiniteQueryOptions({
  queryKey: ['activity', 'account'],
  queryFn: ({ pageParam: before, signal }) => call('GET /api/users/activity', { query: { before }, signal }),
  ...paging,
})

export const serverActivityOptions = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['activity', 'server', id],
    queryFn: ({ pageParam: before, signal }) => call('GET /api/users/tokens/{id}/activity', { params: { id }, query: { before }, signal }),
    ...paging,
  })
