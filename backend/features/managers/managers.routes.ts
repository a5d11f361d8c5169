import * as managers from '#contract/managers.ts'
import type { ManagedServer } from '#contract/servers.ts'
import type { Deps } from '#backend/deps.ts'
import { notFound } from '#backend/errors.ts'
import type { Live } from '#backend/features/live/live.ts'
import type { MasterList } from '#backend/features/masterlist/master-list.ts'
import type { TellList } from '#backend/features/masterlist/telling.ts'
import type { Acting } from '#backend/features/servers/holding.ts'
import { presentManaged } from '#backend/features/servers/managed.present.ts'
import type { Reissuing } from '#backend/features/servers/reissuing.ts'
import { changeServer, resetAddress } from '#backend/features/servers/server-changes.ts'
import { getManaged } from '#backend/features/servers/servers.ts'
import type { Bind } from '#backend/http/bind.ts'
import { grantManagement, ownersManagedBy, refuseManagement, revokeManagement } from './managers.ts'

interface Doors {
  readonly list: MasterList
  readonly tellList: TellList
  readonly live: Live
  readonly reissuing: Reissuing
}

export function bindManagers(bind: Bind, { db }: Deps, { list, tellList, live, reissuing }: Doors): void {
  const tellGrant = async (ownerId: string, managerId: string) => {
    if (live.isWatching(managerId)) live.follow(managerId, await ownersManagedBy(db, managerId))
    live.account([ownerId], 'me', 'activity')
    live.account([managerId], 'me', 'servers', 'activity')
  }

  bind(managers.grant, async ({ caller, body }) => {
    const given = await grantManagement(db, caller.userId, body)
    await tellGrant(caller.userId, given.manager_id)
    return given
  })

  bind(managers.revoke, async ({ caller, body }) => {
    await revokeManagement(db, caller.userId, body.user_id)
    await tellGrant(caller.userId, body.user_id)
  })

  bind(managers.refuse, async ({ caller, params }) => {
    const { ownerId } = await refuseManagement(db, caller.userId, params.id)
    await tellGrant(ownerId, caller.userId)
  })

  const show = async ({ userId, ownerId, publicId }: Acting): Promise<ManagedServer> => {
    const { row, permissions } = await getManaged(db, userId, ownerId, publicId)
    const [server] = await presentManaged(db, list, [{ ...row, permissions }])
    if (server === undefined) throw notFound('server')
    return server
  }
  const acting = (caller: { userId: string }, params: { ownerId: string; serverId: string }): Acting => {
    // One's own servers have addresses of their own.
    if (params.ownerId === caller.userId) throw notFound('server')
    return { userId: caller.userId, ownerId: params.ownerId, publicId: params.serverId }
  }

  bind(managers.managed, ({ caller, params }) => show(acting(caller, params)))

  bind(managers.changeManaged, async ({ caller, params, body }) => {
    const who = acting(caller, params)
    const { row, alsoChanged } = await changeServer(db, who, body)
    await tellList(row.public_id, ...alsoChanged)
    live.account([who.ownerId], 'activity')
    return show(who)
  })

  bind(managers.reissueManaged, async ({ caller, params, body, reply }) => {
    const who = acting(caller, params)
    const { credential } = await reissuing.reissue(who, body?.grace_seconds, reply)
    live.account([who.ownerId], 'activity')
    return { ...(await show(who)), credential }
  })

  bind(managers.resetManagedAddress, async ({ caller, params }) => {
    const who = acting(caller, params)
    const row = await resetAddress(db, who)
    await tellList(row.public_id)
    live.account([who.ownerId], 'activity')
    return show(who)
  })
}
