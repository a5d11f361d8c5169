/** Builds API replies about a user: for themselves, for the other side of a manager grant, and for administrators. */
import { type Selectable, sql } from 'kysely'
import type { Permission } from '#contract/servers/permissions.ts'
import type { GivenManagement, Me, PublicUser, ReceivedManagement } from '#contract/users/users.ts'
import type { AdminUser, AdminUserRow } from '#contract/users/users-admin.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { inOrder } from '#backend/platform/database/paging.ts'
import { anyOf } from '#backend/platform/database/sql.ts'
import type { Tables } from '#backend/platform/database/tables.ts'
import { ownLimitsOf } from './administration.ts'
import { presentUser, publicUsers } from './public-users.ts'
import { type UserRow, activeTierOf, allowanceOf, benefitsOf, listBenefitGrants, parseTier, getUser } from './users.ts'

function presentAccount(row: UserRow, granted: readonly string[]): Omit<Me, 'gived_managements' | 'recieved_managements'> {
  const allowance = allowanceOf(row)
  return {
    ...presentUser(row),
    created_at: row.created_at.toISOString(),
    benefits: benefitsOf(row, granted),
    active_tier: activeTierOf(row),
    owned_tier: parseTier(row.owned_tier),
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
  const user = await getUser(db, userId)
  // One query at a time: inside a transaction (the data export) there is one connection.
  const granted = await listBenefitGrants(db, userId)
  const grants = await db
    .selectFrom('manager_grants')
    .selectAll()
    .where((q) => q.or([q('owner_id', '=', userId), q('manager_id', '=', userId)]))
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  const people = await publicUsers(
    db,
    grants.flatMap((grant) => [grant.owner_id, grant.manager_id]),
  )
  const given: GivenManagement[] = []
  const received: ReceivedManagement[] = []
  for (const grant of grants) {
    const [owner, manager] = [people.get(grant.owner_id), people.get(grant.manager_id)]
    // One of the two was erased between the reads.
    if (owner === undefined || manager === undefined) continue
    if (grant.owner_id === userId) given.push(presentGivenGrant(grant, manager))
    else received.push({ ...presentManagerGrant(grant), owner_id: grant.owner_id, owner })
  }
  return { ...presentAccount(user, granted), gived_managements: given, recieved_managements: received }
}

export type ManagerGrantRow = Selectable<Tables['manager_grants']>

const presentManagerGrant = ({ id, permissions, created_at }: ManagerGrantRow) => ({
  id,
  permissions: permissions as Permission[],
  created_at: created_at.toISOString(),
})

export function presentGivenGrant(row: ManagerGrantRow, manager: PublicUser): GivenManagement {
  return { ...presentManagerGrant(row), manager_id: row.manager_id, manager }
}

type AdminFields = Pick<AdminUser, 'signed_in_at' | 'banned_at' | 'own_limits' | 'open_issues'>

export function presentAdminFields(row: UserRow, openIssues = 0): AdminFields {
  return {
    signed_in_at: row.signed_in_at.toISOString(),
    banned_at: row.banned_at?.toISOString() ?? null,
    own_limits: ownLimitsOf(row),
    open_issues: openIssues,
  }
}

/** Rows of the administrators' list in the order of `ids`. Leaves out erased users. @param openIssues counts by user id. */
export async function presentAdminUserRows(
  db: Db,
  ids: readonly string[],
  openIssues: ReadonlyMap<string, number>,
): Promise<AdminUserRow[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('users as u')
    .selectAll('u')
    .select(sql<string[]>`array(select key from benefit_grants b where b.user_id = u.id)`.as('grants'))
    .select(sql<number>`(select count(*)::integer from servers s where s.owner_id = u.id)`.as('servers'))
    .where('u.id', '=', anyOf(ids))
    .execute()
  return inOrder(ids, rows, (row) => row.id).map((row) => {
    return { ...presentAccount(row, row.grants), ...presentAdminFields(row, openIssues.get(row.id)), servers: row.servers }
  })
}
