import { queryOptions } from '@tanstack/react-query'
import { call } from '#web/lib/http/call.ts'

/** Newest first. */
export const deliveriesOptions = (id: string) =>
  queryOptions({
    queryKey: ['webhooks', id, 'deliveries'],
    queryFn: ({ signal }) => call('GET /api/users/webhooks/{id}/deliveries', { params: { id }, signal }),
  })
