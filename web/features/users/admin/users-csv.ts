/** Users as a CSV file, in the order of the list. Times are in UTC (ISO 8601). */
import type { AdminUserRow } from '#contract/users/users-admin.ts'
import { m } from '#messages'
import { type Cell, downloadCsv } from '#web/lib/csv.ts'

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
