import * as admin from '#contract/servers-admin.ts'
import type { AdminServer } from '#contract/servers-admin.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { notFound } from '#backend/platform/errors.ts'
import type { Bind } from '#backend/platform/http/bind.ts'
import { presentAdminServers } from './admin-servers.present.ts'
import type { ServerServices } from './server-services.ts'
import { banServer, changeAnyServer, getAnyServer, removeAnyServer, resetAnyAddress } from './server-administration.ts'
import type { ServerRow } from './servers.queries.ts'

/** What administrators do with one server. */
export function bindServersAdmin(bind: Bind, deps: Deps, { list }: Pick<ServerServices, 'list'>): void {
  const { db } = deps
  const show = async (row: ServerRow): Promise<AdminServer> => {
    const [server] = await presentAdminServers(deps, list, [row])
    if (server === undefined) throw notFound('server')
    return server
  }

  bind(admin.adminServer, async ({ params }) => show(await getAnyServer(db, params.id)))

  bind(admin.adminAnnounces, async ({ params }) => {
    const row = await getAnyServer(db, params.id)
    return list.attemptsOf(row.public_id)
  })

  bind(admin.changeAdminServer, async ({ caller, params, body }) => {
    return show(await changeAnyServer(db, caller.userId, params.id, body))
  })

  bind(admin.removeAdminServer, ({ caller, params }) => removeAnyServer(db, caller.userId, params.id))

  bind(admin.resetAdminServerAddress, async ({ caller, params }) => {
    return show(await resetAnyAddress(db, caller.userId, params.id))
  })

  bind(admin.banServer, async ({ caller, params, body }) => {
    return show(await banServer(db, caller.userId, params.id, body))
  })
}
