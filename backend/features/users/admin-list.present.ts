/** People as rows of the administrators' list. */
import type { AdminUserRow } from '#contract/users-admin.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { listUserRows } from './admin-list.queries.ts'
import { seenByAdmins } from './admin-users.present.ts'
import { presentUser } from './public-users.ts'
import { activeTierOf, allowanceOf, benefitsOf, tierOf } from './users.ts'

/** In the order of the ids, without people who are gone. @param openIssues how many, by user id. */
export async function adminUserRows(db: Db, ids: readonly string[], openIssues: ReadonlyMap<string, number>): Promise<AdminUserRow[]> {
  if (ids.length === 0) return []
  const byId = new Map((await listUserRows(db, ids)).map((row) => [row.id, row]))
  return ids.flatMap((id) => {
    const row = byId.get(id)
    return row === undefined ? [] : [present(row, openIssues.get(id) ?? 0)]
  })
}

function present(row: Awaited<ReturnType<typeof listUserRows>>[number], openIssues: number): AdminUserRow {
  const allowance = allowanceOf(row)
  return {
    ...presentUser(row),
    benefits: benefitsOf(row, row.grants),
    active_tier: activeTierOf(row),
    owned_tier: tierOf(row.owned_tier),
    is_tier_forced: row.forced_tier !== null,
    max_masterlist_tokens: allowance.servers,
    max_managers: allowance.managers,
    max_masterlist_groups: allowance.groups,
    delete_at: row.delete_at?.toISOString() ?? null,
    banned: row.banned,
    ...(row.ban_reason !== null && { ban_reason: row.ban_reason }),
    ...(row.banned_until !== null && { banned_until: row.banned_until.toISOString() }),
    ...seenByAdmins(row, openIssues),
    servers: Number(row.servers),
  }
}
