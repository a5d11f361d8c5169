/** The queries of webhooks. A `webhooks` event invalidates all of them, through their keys. */
import { queryOptions } from '@tanstack/react-query'
import { call } from '#web/lib/http/call.ts'

export const webhooksOptions = queryOptions({
  queryKey: ['webhooks'],
  queryFn: ({ signal }) => call('GET /api/users/webhooks', { signal }),
})

/** Newest first. */
export const deliveriesOptions = (id: string) =>
  queryOptions({
    queryKey: ['webhooks', id, 'deliveries'],
    queryFn: ({ signal }) => call('GET /api/users/webhooks/{id}/deliveries', { params: { id }, signal }),
  })
