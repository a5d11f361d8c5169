/** What only administrators see of a person, in lists and by itself. */
import type { AdminUser } from '#contract/users-admin.ts'
import type { UserRow } from './users.ts'

type SeenByAdmins = Pick<AdminUser, 'created_at' | 'signed_in_at' | 'banned_at' | 'own_limits' | 'open_issues'>
type Columns = Pick<UserRow, 'created_at' | 'signed_in_at' | 'banned_at' | 'max_servers' | 'max_managers' | 'max_groups'>

export function seenByAdmins(row: Columns, openIssues = 0): SeenByAdmins {
  return {
    created_at: row.created_at.toISOString(),
    signed_in_at: row.signed_in_at.toISOString(),
    banned_at: row.banned_at?.toISOString() ?? null,
    own_limits: { max_masterlist_tokens: row.max_servers, max_managers: row.max_managers, max_masterlist_groups: row.max_groups },
    open_issues: openIssues,
  }
}
