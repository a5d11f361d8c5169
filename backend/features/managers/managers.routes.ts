import type { AccountPart } from '#contract/live.ts'
import * as managers from '#contract/managers.ts'
import type { ManagedServer } from '#contract/servers.ts'
import type { Deps } from '#backend/platform/deps.ts'
import type { Doors } from '#backend/app/services.ts'
import { notFound } from '#backend/platform/errors.ts'
import { partsOf } from '#backend/features/servers/fields.ts'
import type { Acting } from '#backend/features/servers/holding.ts'
import { presentManaged } from '#backend/features/servers/managed.present.ts'
import { changeServer, resetAddress } from '#backend/features/servers/server-changes.ts'
import { getManaged } from '#backend/features/servers/servers.ts'
import type { ServerRow } from '#backend/features/servers/servers.ts'
import type { Bind } from '#backend/platform/http/bind.ts'
import { createLimit } from '#backend/platform/http/rate-limit.ts'
import { appearanceFor, grantManagement, refuseManagement, revokeManagement } from './managers.ts'

export function bindManagers(bind: Bind, deps: Deps, { list, tellList, live, reissuing, changes }: Doors): void {
  const { db } = deps
  // A grant lands in somebody else's panel and story: nobody may fill them.
  const grants = createLimit(deps, 'grants', { burst: 60, perSecond: 1 / 60 })

  const tellGrant = (ownerId: string, managerId: string) => {
    live.account([ownerId], 'me', 'activity')
    live.account([managerId], 'me', 'servers', 'activity')
  }

  bind(managers.grant, async ({ caller, body }) => {
    const given = await grants.run(caller.userId, () => grantManagement(db, caller.userId, body))
    live.follow(given.manager_id, [caller.userId])
    tellGrant(caller.userId, given.manager_id)
    return given
  })

  bind(managers.revoke, async ({ caller, body }) => {
    await revokeManagement(db, caller.userId, body.user_id)
    tellGrant(caller.userId, body.user_id)
  })

  bind(managers.refuse, async ({ caller, params }) => {
    const { ownerId } = await refuseManagement(db, caller.userId, params.id)
    tellGrant(ownerId, caller.userId)
  })

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
  const tellActivity = ({ userId, ownerId }: Acting, ...more: readonly AccountPart[]) =>
    live.account([ownerId, userId], 'activity', ...more)

  bind(managers.managed, async ({ caller, params }) => {
    const { userId, ownerId, publicId } = acting(caller, params)
    const { row, permissions } = await getManaged(db, userId, ownerId, publicId)
    return show(row, permissions)
  })

  bind(managers.changeManaged, async ({ caller, params, body }) => {
    const who = acting(caller, params)
    const { row, permissions, alsoChanged } = await changes.run(caller.userId, () => changeServer(db, who, body))
    await tellList(row.public_id, ...alsoChanged)
    tellActivity(who, ...partsOf(body))
    return show(row, permissions)
  })

  bind(managers.reissueManaged, async ({ caller, params, body, reply }) => {
    const who = acting(caller, params)
    const { row, permissions, credential } = await reissuing.reissue(who, body.grace_seconds, reply)
    tellActivity(who, 'protection')
    return { ...(await show(row, permissions)), credential }
  })

  bind(managers.resetManagedAddress, async ({ caller, params }) => {
    const who = acting(caller, params)
    const { row, permissions } = await changes.run(caller.userId, () => resetAddress(db, who))
    await tellList(row.public_id)
    tellActivity(who, 'protection')
    return show(row, permissions)
  })

  bind(managers.appearance, ({ caller, params }) => appearanceFor(db, caller.userId, params.ownerId))
}
