/** The list of all users: its search parameters, its query and its filters. */
import { queryOptions } from '@tanstack/react-query'
import { BENEFITS } from '#contract/benefits/benefit-texts.ts'
import { BENEFIT_KEYS, TIER_IDS, TIERS } from '#contract/benefits/benefits.ts'
import { m } from '#messages'
import { call } from '#web/lib/http/call.ts'
import { anyOf, defineList, oneOf, queryOf } from '#web/lib/url/list-search.ts'
import { FilterBar, FilterMenu } from '#web/ui/table/filter-bar.tsx'
import { neverStale } from '#web/ui/table/list-query.ts'
import type { useList } from '#web/ui/table/use-list.ts'

export const usersList = defineList({
  sorts: { created_at: 'desc', username: 'asc', signed_in_at: 'desc' },
  filters: {
    tiers: anyOf(TIER_IDS),
    benefits: anyOf(BENEFIT_KEYS),
    banned: oneOf(['true', 'false']),
    pending_deletion: oneOf(['true', 'false']),
  },
})

export type UsersList = ReturnType<typeof useList<keyof typeof usersList.sorts, typeof usersList.filters>>

export const adminUsersOptions = (state: UsersList['state']) => {
  const query = queryOf(state)
  return queryOptions({
    ...neverStale,
    queryKey: ['admin', 'users', 'list', query],
    queryFn: ({ signal }) => call('GET /api/admin/users', { query, signal, fullBody: true }),
  })
}

const TIER_OPTIONS = TIER_IDS.map((value) => ({ value, label: TIERS[value].name }))
const BENEFIT_OPTIONS = BENEFIT_KEYS.map((value) => ({ value, label: BENEFITS[value].name() }))
const yesNo = (yes: string, no: string) => [{ value: 'true', label: yes } as const, { value: 'false', label: no } as const]
const BAN_OPTIONS = yesNo(m.common_banned(), m.common_not_banned())
const DELETION_OPTIONS = yesNo(m.users_deletion_pending(), m.users_deletion_none())

export function UserFilters({ list }: { list: UsersList }) {
  const { search, tiers, benefits, banned, pending_deletion: deletion } = list.state
  return (
    <FilterBar
      label={m.users_list_search()}
      placeholder={m.users_list_placeholder()}
      search={search}
      onSearch={(text) => list.change({ search: text }, true)}
      isFiltered={list.isFiltered}
      onClear={list.clearFilters}
    >
      <FilterMenu
        label={m.tiers_tier()}
        multiple
        options={TIER_OPTIONS}
        chosen={tiers}
        onChange={(chosen) => list.change({ tiers: chosen })}
      />
      <FilterMenu
        label={m.users_list_benefit()}
        multiple
        options={BENEFIT_OPTIONS}
        chosen={benefits}
        onChange={(chosen) => list.change({ benefits: chosen })}
      />
      <FilterMenu
        label={m.common_ban()}
        options={BAN_OPTIONS}
        chosen={banned === undefined ? [] : [banned]}
        onChange={([chosen]) => list.change({ banned: chosen })}
      />
      <FilterMenu
        label={m.users_list_deletion()}
        options={DELETION_OPTIONS}
        chosen={deletion === undefined ? [] : [deletion]}
        onChange={([chosen]) => list.change({ pending_deletion: chosen })}
      />
    </FilterBar>
  )
}
