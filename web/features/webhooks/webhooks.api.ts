/** The query of all webhooks. */
import { queryOptions } from '@tanstack/react-query'
import { call } from '#web/lib/http/call.ts'

/** A `webhooks` event invalidates this and the deliveries, through their keys. */
export const webhooksOptions = queryOptions({
  queryKey: ['webhooks'],
  queryFn: ({ signal }) => call('GET /api/users/webhooks', { signal }),
})
