import { adminServers } from '#contract/servers-admin.ts'
import { Lists } from '#backend/platform/database/paging.ts'
import type { Deps } from '#backend/platform/deps.ts'
import type { Bind } from '#backend/platform/http/bind.ts'
import { listOfServers } from './admin-list.ts'
import { presentAdminServers } from './admin-servers.present.ts'
import type { ServerServices } from './server-services.ts'
import { listServersById } from './servers.queries.ts'

export function bindAdminServerList(bind: Bind, deps: Deps, { list }: Pick<ServerServices, 'list'>): void {
  const lists = new Lists(deps)

  bind(adminServers, async ({ query }) => {
    const { ids, meta } = await lists.page(listOfServers(query), query)
    const rows = new Map((await listServersById(deps.db, ids)).map((row) => [row.public_id, row]))
    // One that went between the two reads is left out.
    const data = await presentAdminServers(
      deps,
      list,
      ids.flatMap((id) => rows.get(id) ?? []),
    )
    return { data, meta }
  })
}
