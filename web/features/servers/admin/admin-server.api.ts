/** One server as administrators read it. */
import { queryOptions } from '@tanstack/react-query'
import { call } from '#web/lib/call.ts'

/** Nothing tells an administrator of what others change, so what is shown is asked for anew. */
const ASK_MS = 10_000

export const adminServerOptions = (id: string) =>
  queryOptions({
    queryKey: ['admin', 'server', id],
    queryFn: ({ signal }) => call('GET /api/admin/tokens/{id}', { params: { id }, signal }),
    refetchInterval: ASK_MS,
  })
