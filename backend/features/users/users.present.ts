/** Grants as each side of them sees them. */
import type { Permission } from '#contract/permissions.ts'
import type { GivenManagement, PublicUser, ReceivedManagement } from '#contract/users.ts'
import type { listGiven } from './users.queries.ts'

export type ManagementRow = Awaited<ReturnType<typeof listGiven>>[number]

const common = (row: ManagementRow) => ({
  id: row.id,
  permissions: row.permissions as Permission[],
  created_at: row.created_at.toISOString(),
})

export function presentGiven(row: ManagementRow, manager: PublicUser): GivenManagement {
  return { ...common(row), manager_id: row.manager_id, manager }
}

export function presentReceived(row: ManagementRow, owner: PublicUser): ReceivedManagement {
  return { ...common(row), owner_id: row.owner_id, owner }
}
