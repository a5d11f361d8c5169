/** Queries of webhooks. The first page includes this file, but not the mutations (`webhook-mutations.ts`). */
import { queryOptions } from '@tanstack/react-query'
import { call } from '#web/lib/call.ts'

/** The first part of the query keys that a `webhooks` event invalidates. */
const WEBHOOKS = 'webhooks'

export const webhooksOptions = queryOptions({
  queryKey: [WEBHOOKS],
  queryFn: ({ signal }) => call('GET /api/users/webhooks', { signal }),
})

/** Newest first. */
export const deliveriesOptions = (id: string) =>
  queryOptions({
    queryKey: [WEBHOOKS, id, 'deliveries'],
    queryFn: ({ signal }) => call('GET /api/users/webhooks/{id}/deliveries', { params: { id }, signal }),
  })
