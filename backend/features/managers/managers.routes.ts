import * as managers from '#contract/managers.ts'
import type { ManagedServer } from '#contract/servers.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { notFound } from '#backend/platform/errors.ts'
import type { Acting } from '#backend/features/servers/holding.ts'
import { presentManaged } from '#backend/features/servers/managed.present.ts'
import { changeServer, reissueCredential, resetAddress } from '#backend/features/servers/server-changes.ts'
import type { ServerServices } from '#backend/features/servers/server-services.ts'
import { getManaged } from '#backend/features/servers/servers.ts'
import type { ServerRow } from '#backend/features/servers/servers.ts'
import type { Bind } from '#backend/platform/http/bind.ts'
import { createLimit } from '#backend/platform/http/rate-limit.ts'
import { appearanceFor, grantManagement, refuseManagement, revokeManagement } from './managers.ts'

export function bindManagers(bind: Bind, deps: Deps, { list, limits }: ServerServices): void {
  const { db } = deps
  // A grant lands in somebody else's panel and story: nobody may fill them.
  const grants = createLimit(deps, 'grants', { burst: 60, perSecond: 1 / 60 })

  bind(managers.grant, ({ caller, body }) => grants.run(caller.userId, () => grantManagement(db, caller.userId, body)))

  bind(managers.revoke, ({ caller, body }) => revokeManagement(db, caller.userId, body.user_id))

  bind(managers.refuse, ({ caller, params }) => refuseManagement(db, caller.userId, params.id))

  const show = async (row: ServerRow, permissions: readonly string[]): Promise<ManagedServer> => {
    const [server] = await presentManaged(deps, list, [{ ...row, permissions }])
    if (server === undefined) throw notFound('server')
    return server
  }
  const acting = (caller: { userId: string }, params: { ownerId: string; serverId: string }): Acting => {
    // One's own servers have addresses of their own.
    if (params.ownerId === caller.userId) throw notFound('server')
    return { userId: caller.userId, ownerId: params.ownerId, publicId: params.serverId }
  }

  bind(managers.managed, async ({ caller, params }) => {
    const { userId, ownerId, publicId } = acting(caller, params)
    const { row, permissions } = await getManaged(db, userId, ownerId, publicId)
    return show(row, permissions)
  })

  bind(managers.changeManaged, async ({ caller, params, body }) => {
    const who = acting(caller, params)
    const { row, permissions } = await limits.changes.run(caller.userId, () => changeServer(db, who, body))
    return show(row, permissions)
  })

  bind(managers.reissueManaged, async ({ caller, params, body, reply }) => {
    const who = acting(caller, params)
    limits.reissues.take(caller.userId)
    const { row, permissions, credential } = await reissueCredential(db, who, body.grace_seconds)
    reply.header('cache-control', 'no-store')
    return { ...(await show(row, permissions)), credential: credential.reveal() }
  })

  bind(managers.resetManagedAddress, async ({ caller, params }) => {
    const who = acting(caller, params)
    const { row, permissions } = await limits.changes.run(caller.userId, () => resetAddress(db, who))
    return show(row, permissions)
  })

  bind(managers.appearance, ({ caller, params }) => appearanceFor(db, caller.userId, params.ownerId))
}
