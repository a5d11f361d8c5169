/** Servers as administrators see them: with their owner, and how many findings about them are open. */
import type { AdminServer } from '#contract/servers-admin.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { openIssuesOfServers } from '#backend/features/protection/open-issues.ts'
import { publicUsers } from '#backend/features/users/public-users.ts'
import type { ServerStates } from './server-services.ts'
import type { ServerRow } from './servers.queries.ts'
import { presentServers } from './servers.present.ts'

/** Presents rows in their order; one whose owner has just gone is left out. */
export async function presentAdminServers(
  deps: Pick<Deps, 'db' | 'env'>,
  list: ServerStates,
  rows: readonly ServerRow[],
): Promise<AdminServer[]> {
  if (rows.length === 0) return []
  const [servers, owners, issues] = await Promise.all([
    presentServers(deps, list, rows),
    publicUsers(
      deps.db,
      rows.map((row) => row.owner_id),
    ),
    openIssuesOfServers(
      deps.db,
      rows.map((row) => row.public_id),
    ),
  ])
  return servers.flatMap((server) => {
    const owner = owners.get(server.user_id)
    return owner === undefined ? [] : [{ ...server, owner, open_issues: issues.get(server.public_id) ?? 0 }]
  })
}
