/** What leaves about a person: to themselves, to the others in a grant, and to administrators. */
import type { Permission } from '#contract/permissions.ts'
import type { GivenManagement, Me, PublicUser, ReceivedManagement } from '#contract/users.ts'
import type { AdminUser, AdminUserRow } from '#contract/users-admin.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { ownLimitsOf } from './administration.ts'
import { presentUser, publicUsers } from './public-users.ts'
import { listManagementsOf, listUserRows } from './users.queries.ts'
import { type UserRow, activeTierOf, allowanceOf, benefitsOf, grantsOf, tierOf, userOf } from './users.ts'

function presentAccount(row: UserRow, granted: readonly string[]): Omit<Me, 'gived_managements' | 'recieved_managements'> {
  const allowance = allowanceOf(row)
  return {
    ...presentUser(row),
    benefits: benefitsOf(row, granted),
    active_tier: activeTierOf(row),
    owned_tier: tierOf(row.owned_tier),
    is_tier_forced: row.forced_tier !== null,
    max_masterlist_tokens: allowance.servers,
    max_managers: allowance.managers,
    max_masterlist_groups: allowance.groups,
    delete_at: row.delete_at?.toISOString() ?? null,
    banned: row.banned,
    ban_reason: row.ban_reason ?? undefined,
    banned_until: row.banned_until?.toISOString(),
  }
}

export async function getMe(db: Db, userId: string): Promise<Me> {
  const user = await userOf(db, userId)
  // In turn: inside a transaction (the export's) there is one connection.
  const granted = await grantsOf(db, userId)
  const managements = await listManagementsOf(db, userId)
  const people = await publicUsers(
    db,
    managements.flatMap((one) => [one.owner_id, one.manager_id]),
  )
  const given: GivenManagement[] = []
  const received: ReceivedManagement[] = []
  for (const one of managements) {
    const [owner, manager] = [people.get(one.owner_id), people.get(one.manager_id)]
    // One of the two went between two reads.
    if (owner === undefined || manager === undefined) continue
    if (one.owner_id === userId) given.push(presentGiven(one, manager))
    else received.push({ ...presentManagement(one), owner_id: one.owner_id, owner })
  }
  return { ...presentAccount(user, granted), gived_managements: given, recieved_managements: received }
}

export type ManagementRow = Awaited<ReturnType<typeof listManagementsOf>>[number]

const presentManagement = ({ id, permissions, created_at }: ManagementRow) => ({
  id,
  permissions: permissions as Permission[],
  created_at: created_at.toISOString(),
})

export function presentGiven(row: ManagementRow, manager: PublicUser): GivenManagement {
  return { ...presentManagement(row), manager_id: row.manager_id, manager }
}

type SeenByAdmins = Pick<AdminUser, 'created_at' | 'signed_in_at' | 'banned_at' | 'own_limits' | 'open_issues'>

export function seenByAdmins(row: UserRow, openIssues = 0): SeenByAdmins {
  return {
    created_at: row.created_at.toISOString(),
    signed_in_at: row.signed_in_at.toISOString(),
    banned_at: row.banned_at?.toISOString() ?? null,
    own_limits: ownLimitsOf(row),
    open_issues: openIssues,
  }
}

/** Rows of the administrators' list, in the order of the ids, without people who are gone. @param openIssues how many, by user id. */
export async function adminUserRows(db: Db, ids: readonly string[], openIssues: ReadonlyMap<string, number>): Promise<AdminUserRow[]> {
  if (ids.length === 0) return []
  const byId = new Map((await listUserRows(db, ids)).map((row) => [row.id, row]))
  return ids.flatMap((id) => {
    const row = byId.get(id)
    return row === undefined ? [] : [{ ...presentAccount(row, row.grants), ...seenByAdmins(row, openIssues.get(id)), servers: row.servers }]
  })
}
