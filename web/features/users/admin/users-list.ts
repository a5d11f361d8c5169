/** The list of all users: its search parameters and its query. */
import { queryOptions } from '@tanstack/react-query'
import { BENEFIT_KEYS, TIER_IDS } from '#contract/benefits/benefits.ts'
import { call } from '#web/lib/http/call.ts'
import { anyOf, defineList, oneOf, queryOf } from '#web/lib/url/list-search.ts'
import { neverStale } from '#web/ui/table/list-query.ts'

export const usersList = defineList({
  sorts: { created_at: 'desc', username: 'asc', signed_in_at: 'desc' },
  filters: {
    tiers: anyOf(TIER_IDS),
    benefits: anyOf(BENEFIT_KEYS),
    banned: oneOf(['true', 'false']),
    pending_deletion: oneOf(['true', 'false']),
  },
})

export const adminUsersOptions = (state: ReturnType<typeof usersList.read>) => {
  const query = queryOf(state)
  return queryOptions({
    ...neverStale,
    queryKey: ['admin', 'users', 'list', query],
    queryFn: ({ signal }) => call('GET /api/admin/users', { query, signal, fullBody: true }),
  })
}
