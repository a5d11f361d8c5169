/** Users as a CSV file, in the order of the list. */
import type { AdminUserRow } from '#contract/users/users-admin.ts'
import { m } from '#messages'
import { toCsv } from '#web/lib/csv.ts'
import { localDay } from '#web/lib/local-minute.ts'
import { saveFile } from '#web/lib/save-file.ts'

/** Column names are stable, in English and for programs. Times are in UTC (ISO 8601). */
const COLUMNS = {
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
} satisfies Record<string, (user: AdminUserRow) => string | number | null>

/** `users-2026-11-24.csv`, with the date in the user's time zone. */
export function downloadUsers(users: readonly AdminUserRow[]): void {
  const rows = users.map((user) => Object.values(COLUMNS).map((cell: (of: AdminUserRow) => string | number | null) => cell(user)))
  saveFile(toCsv(Object.keys(COLUMNS), rows), m.users_csv_name({ day: localDay(Date.now()) }), 'text/csv')
}
