import { queryOptions } from '@tanstack/react-query'
import { call } from '#web/lib/call.ts'

export const downloadsOptions = queryOptions({
  queryKey: ['downloads'],
  queryFn: ({ signal }) => call('GET /api/downloads', { signal }),
  // Nobody tells of a new build: whoever comes back after a while sees it.
  staleTime: 60_000,
  refetchOnMount: true,
})
