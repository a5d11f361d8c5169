/** The list of all users: its search parameters, its query, and its export. */
import { queryOptions } from '@tanstack/react-query'
import { BENEFIT_KEYS, TIER_IDS } from '#contract/benefits/benefits.ts'
import type { AdminUserRow } from '#contract/users/users-admin.ts'
import { m } from '#messages'
import { type Cell, downloadCsv } from '#web/lib/csv.ts'
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

/** Of the CSV file. Times are in UTC (ISO 8601). */
const COLUMNS: Readonly<Record<string, (user: AdminUserRow) => Cell>> = {
  id: ({ id }) => id,
  discord_id: ({ discord }) => discord.discord_id,
  username: ({ discord }) => discord.username,
  tier: ({ active_tier: tier }) => tier,
  tier_forced: ({ is_tier_forced: isForced }) => (isForced ? 'yes' : 'no'),
  servers: ({ servers }) => servers,
  max_servers: ({ max_masterlist_tokens: max }) => max,
  open_issues: ({ open_issues: open }) => open,
  banned: ({ banned }) => (banned ? 'yes' : 'no'),
  deletion: ({ delete_at: at }) => at,
  created: ({ created_at: at }) => at,
  last_sign_in: ({ signed_in_at: at }) => at,
}

export const downloadUsers = (users: readonly AdminUserRow[]) => downloadCsv(users, COLUMNS, m.users_csv_name)
