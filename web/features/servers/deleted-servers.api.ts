import { queryOptions } from '@tanstack/react-query'
import { call } from '#web/lib/http/call.ts'
import { serverListOptions } from './servers.api.ts'

/** Under the list's key, because the same events change both. */
export const deletedServersOptions = queryOptions({
  queryKey: [...serverListOptions.queryKey, 'deleted'],
  queryFn: ({ signal }) => call('GET /api/users/tokens/deleted', { signal }),
})
