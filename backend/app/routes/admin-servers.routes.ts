/** Servers as administrators see them: with their owner and how many issues are open. */
import * as admin from '#contract/servers-admin.ts'
import type { Services } from '#backend/app/services.ts'
import { countOpenIssues } from '#backend/features/protection/issues.ts'
import { listOfServers } from '#backend/features/servers/admin-list.ts'
import {
  banServer,
  changeAnyServer,
  getAnyServer,
  removeAnyServer,
  resetAnyAddress,
} from '#backend/features/servers/server-administration.ts'
import { type ServerRow, findServers } from '#backend/features/servers/servers.ts'
import { presentServers } from '#backend/features/servers/servers.present.ts'
import { publicUsers } from '#backend/features/users/public-users.ts'
import { Lists } from '#backend/platform/database/paging.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { notFound } from '#backend/platform/errors.ts'
import type { Bind } from '#backend/platform/http/bind.ts'

export function bindAdminServers(bind: Bind, deps: Deps, { list }: Pick<Services, 'list'>): void {
  const { db } = deps
  const lists = new Lists(deps)

  /** In their order, without servers whose owner is gone. */
  const present = async (rows: readonly ServerRow[]): Promise<admin.AdminServer[]> => {
    const ownerIds = rows.map((row) => row.owner_id)
    const publicIds = rows.map((row) => row.public_id)
    const [servers, owners, issues] = await Promise.all([
      presentServers(deps, list, rows),
      publicUsers(db, ownerIds),
      countOpenIssues(db, 'server_id', publicIds),
    ])
    return servers.flatMap((server) => {
      const owner = owners.get(server.user_id)
      return owner === undefined ? [] : [{ ...server, owner, open_issues: issues.get(server.public_id) ?? 0 }]
    })
  }

  const show = async (row: ServerRow): Promise<admin.AdminServer> => {
    const [server] = await present([row])
    if (server === undefined) throw notFound('server')
    return server
  }

  bind(admin.adminServers, async ({ query }) => {
    const { ids, meta } = await lists.page(listOfServers(query), query)
    const rows = new Map((await findServers(db, ids)).map((row) => [row.public_id, row]))
    return { data: await present(ids.flatMap((id) => rows.get(id) ?? [])), meta }
  })

  bind(admin.adminServer, async ({ params }) => show(await getAnyServer(db, params.id)))

  bind(admin.adminAnnounces, async ({ params }) => list.attemptsOf((await getAnyServer(db, params.id)).public_id))

  bind(admin.changeAdminServer, async ({ caller, params, body }) => show(await changeAnyServer(db, caller.userId, params.id, body)))

  bind(admin.removeAdminServer, ({ caller, params }) => removeAnyServer(db, caller.userId, params.id))

  bind(admin.resetAdminServerAddress, async ({ caller, params }) => show(await resetAnyAddress(db, caller.userId, params.id)))

  bind(admin.banServer, async ({ caller, params, body }) => show(await banServer(db, caller.userId, params.id, body)))
}
