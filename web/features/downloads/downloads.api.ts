import { queryOptions } from '@tanstack/react-query'
import { call } from '#web/lib/http/call.ts'

export const downloadsOptions = queryOptions({
  queryKey: ['downloads'],
  queryFn: ({ signal }) => call('GET /api/downloads', { signal }),
  // Nothing notifies the panel of new builds.
  staleTime: 60_000,
  refetchOnMount: true,
})
