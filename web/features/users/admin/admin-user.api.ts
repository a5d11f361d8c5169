import { queryOptions } from '@tanstack/react-query'
import { call } from '#web/lib/http/call.ts'

/** The event stream does not report changes by other administrators. */
const POLL_MS = 15_000

export const adminUserOptions = (id: string) =>
  queryOptions({
    queryKey: ['admin', 'users', id],
    queryFn: ({ signal }) => call('GET /api/admin/users/{id}', { params: { id }, signal }),
    refetchInterval: POLL_MS,
  })
