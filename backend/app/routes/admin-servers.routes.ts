/** Servers for administrators, with owners and numbers of open issues. */
import * as admin from '#contract/servers/servers-admin.ts'
import type { Services } from '#backend/app/services.ts'
import { countOpenIssues } from '#backend/core/protection/issues.ts'
import { adminServerList } from '#backend/core/servers/admin-list.ts'
import { changeServerBan } from '#backend/core/servers/bans.ts'
import { asAdministrator, getAnyServer } from '#backend/core/servers/server-access.ts'
import { changeServer, resetAddress } from '#backend/core/servers/server-changes.ts'
import { type ServerRow, findServers, removeServer } from '#backend/core/servers/servers.ts'
import { presentWithOwners } from '#backend/core/servers/servers.present.ts'
import { inOrder, readPage } from '#backend/platform/database/paging.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { orNotFound } from '#backend/platform/errors.ts'
import type { Bind } from '#backend/platform/http/bind.ts'
import { replyWith } from '#backend/platform/http/if-match.ts'

export function bindAdminServers(bind: Bind, deps: Deps, { list }: Pick<Services, 'list'>): void {
  const { db } = deps

  const present = async (rows: readonly ServerRow[]): Promise<admin.AdminServer[]> => {
    const publicIds = rows.map((row) => row.public_id)
    const [servers, issues] = await Promise.all([presentWithOwners(deps, list, rows), countOpenIssues(db, 'server_id', publicIds)])
    return servers.map((server) => ({ ...server, open_issues: issues.get(server.public_id) ?? 0 }))
  }

  const show = async (row: ServerRow): Promise<admin.AdminServer> => orNotFound((await present([row]))[0], 'SERVER_NOT_FOUND')

  bind(admin.adminServers, async ({ query }) => {
    const { ids, meta } = await readPage(db, adminServerList(query, query.problem && list.withAddressProblem(query.problem)), query)
    const rows = inOrder(ids, await findServers(db, ids), (row) => row.public_id)
    return { data: await present(rows), meta }
  })

  bind(admin.adminServer, async ({ params }) => show(await getAnyServer(db, params.id)))

  bind(admin.adminAnnounces, async ({ params }) => list.attemptsOf((await getAnyServer(db, params.id)).public_id))

  bind(admin.changeAdminServer, ({ caller, params, body, ifMatch }) =>
    replyWith(changeServer(db, asAdministrator(caller.userId, params.id), body, ifMatch), ({ row }) => show(row)),
  )

  bind(admin.removeAdminServer, ({ caller, params }) => removeServer(db, asAdministrator(caller.userId, params.id)))

  bind(admin.resetAdminServerAddress, async ({ caller, params }) => {
    const { row } = await resetAddress(db, asAdministrator(caller.userId, params.id))
    return show(row)
  })

  bind(admin.banServer, async ({ caller, params, body }) => show(await changeServerBan(db, caller.userId, params.id, body)))
}
