/** The list of all servers: its search parameters and its query. */
import { queryOptions } from '@tanstack/react-query'
import { call } from '#web/lib/http/call.ts'
import { anyOf, defineList, oneOf, queryOf, matching, anyMatching, UUID } from '#web/lib/url/list-search.ts'
import { neverStale } from '#web/ui/table/list-query.ts'

export const serversList = defineList({
  sorts: { created_at: 'desc', name: 'asc', players: 'desc' },
  filters: {
    status: anyOf(['online', 'offline', 'never_seen']),
    banned: oneOf(['true', 'false']),
    tags: anyMatching(/^.{1,24}$/u),
    user_id: matching(UUID),
    group_id: matching(UUID),
  },
})

export const adminServersOptions = (state: ReturnType<typeof serversList.read>) => {
  const query = queryOf(state)
  return queryOptions({
    ...neverStale,
    queryKey: ['admin', 'servers', query],
    queryFn: ({ signal }) => call('GET /api/admin/tokens', { query, signal, fullBody: true }),
  })
}
