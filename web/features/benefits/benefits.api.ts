/** All keys of queries about benefits begin with `benefits`: an event invalidates them. */
import { queryOptions } from '@tanstack/react-query'
import { call } from '#web/lib/call.ts'

export const benefitsOptions = queryOptions({
  queryKey: ['benefits', 'overview'],
  queryFn: ({ signal }) => call('GET /api/users/benefits', { signal }),
})
