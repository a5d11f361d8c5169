/** All people: where the list is, by its address, and reading it. */
import { queryOptions } from '@tanstack/react-query'
import { BENEFIT_KEYS, TIER_IDS } from '#contract/benefits.ts'
import { call } from '#web/lib/call.ts'
import { anyOf, defineList, oneOf, queryOf } from '#web/lib/list-search.ts'
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

type UsersState = ReturnType<typeof usersList.read>

export const adminUsersOptions = (state: UsersState) => {
  const { page, per_page: perPage, ...query } = queryOf(state)
  return queryOptions({
    ...neverStale,
    queryKey: ['admin', 'users', 'list', { page, perPage, ...query }],
    queryFn: ({ signal }) =>
      call('GET /api/admin/users', { query: { ...query, page: String(page), per_page: String(perPage) }, signal, whole: true }),
  })
}
