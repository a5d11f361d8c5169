import * as admin from '#contract/servers-admin.ts'
import type { AdminServer } from '#contract/servers-admin.ts'
import type { Deps } from '#backend/platform/deps.ts'
import type { Doors } from '#backend/app/services.ts'
import { notFound } from '#backend/platform/errors.ts'
import type { Bind } from '#backend/platform/http/bind.ts'
import { presentAdminServers } from './admin-servers.present.ts'
import { partsOf } from './fields.ts'
import { banServer, changeAnyServer, getAnyServer, removeAnyServer, resetAnyAddress } from './server-administration.ts'
import type { ServerRow } from './servers.queries.ts'

/** What administrators do with one server. The owner's open panels hear of it like of his own changes. */
export function bindServersAdmin(bind: Bind, deps: Deps, { list, tellList, live }: Doors): void {
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
    const { row, alsoChanged } = await changeAnyServer(db, caller.userId, params.id, body)
    await tellList(row.public_id, ...alsoChanged)
    live.account([row.owner_id], 'activity', ...partsOf(body))
    return show(row)
  })

  bind(admin.removeAdminServer, async ({ caller, params }) => {
    const { ownerId, offeredTo } = await removeAnyServer(db, caller.userId, params.id)
    await tellList(params.id)
    live.account([ownerId, ...(offeredTo === undefined ? [] : [offeredTo])], 'servers', 'activity', 'benefits', 'protection')
  })

  bind(admin.resetAdminServerAddress, async ({ caller, params }) => {
    const row = await resetAnyAddress(db, caller.userId, params.id)
    await tellList(row.public_id)
    live.account([row.owner_id], 'activity', 'protection')
    return show(row)
  })

  bind(admin.banServer, async ({ caller, params, body }) => {
    const row = await banServer(db, caller.userId, params.id, body)
    await tellList(row.public_id)
    live.account([row.owner_id], 'activity')
    return show(row)
  })
}
