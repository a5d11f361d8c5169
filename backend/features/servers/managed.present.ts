/** Servers as those see them who manage them for somebody else. */
import type { Permission } from '#contract/permissions.ts'
import type { ManagedServer } from '#contract/servers.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { publicUsers } from '#backend/features/users/public-users.ts'
import type { ServerStates } from './server-services.ts'
import type { ServerRow } from './servers.queries.ts'
import { presentServers } from './servers.present.ts'

type ManagedRow = ServerRow & { readonly permissions: readonly string[] }

/** Presents rows in their order. */
export async function presentManaged(
  deps: Pick<Deps, 'db' | 'env'>,
  list: ServerStates,
  rows: readonly ManagedRow[],
): Promise<ManagedServer[]> {
  if (rows.length === 0) return []
  const [servers, owners] = await Promise.all([
    presentServers(deps, list, rows),
    publicUsers(
      deps.db,
      rows.map((row) => row.owner_id),
    ),
  ])
  return servers.flatMap((server, index) => {
    const owner = owners.get(server.user_id)
    return owner === undefined ? [] : [{ ...server, owner, permissions: (rows[index]?.permissions ?? []) as Permission[] }]
  })
}
