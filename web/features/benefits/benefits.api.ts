/** What one holds and what it is used for. All queries about benefits have keys that begin with `benefits`: an event reads them anew. */
import { queryOptions } from '@tanstack/react-query'
import { call } from '#web/lib/call.ts'

export const benefitsOptions = queryOptions({
  queryKey: ['benefits', 'overview'],
  queryFn: ({ signal }) => call('GET /api/users/benefits', { signal }),
})
