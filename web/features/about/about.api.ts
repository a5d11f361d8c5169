import { queryOptions } from '@tanstack/react-query'
import { call } from '#web/lib/http/call.ts'

export const aboutOptions = queryOptions({
  queryKey: ['about'],
  queryFn: ({ signal }) => call('GET /api/about', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
})
