import * as managers from '#contract/servers/managers.ts'
import type { ManagedServer } from '#contract/servers/servers.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { orNotFound } from '#backend/platform/errors.ts'
import type { Manager } from '#backend/core/servers/server-access.ts'
import { changeServer, reissueCredential, resetAddress } from '#backend/core/servers/server-changes.ts'
import type { ServerStateSource } from '#backend/core/servers/server-state.ts'
import { type ServerRow, getManagedServer } from '#backend/core/servers/servers.ts'
import { presentManaged } from '#backend/core/servers/servers.present.ts'
import type { Bind } from '#backend/platform/http/bind.ts'
import { replyWith } from '#backend/platform/http/if-match.ts'
import { getAppearanceOptions, setManagerGrant, resignAsManager, revokeManagerGrant } from './managers.ts'

export function bindManagers(bind: Bind, deps: Deps, list: ServerStateSource): void {
  const { db } = deps

  bind(managers.grant, ({ caller, body }) => setManagerGrant(db, caller.userId, body))

  bind(managers.revoke, ({ caller, body }) => revokeManagerGrant(db, caller.userId, body.user_id))

  bind(managers.resign, ({ caller, params }) => resignAsManager(db, caller.userId, params.id))

  const actor = (caller: { userId: string }, params: { ownerId: string; serverId: string }): Manager => ({
    as: 'manager',
    actorId: caller.userId,
    ownerId: params.ownerId,
    publicId: params.serverId,
  })
  const show = async (row: ServerRow, permissions: readonly string[]): Promise<ManagedServer> => {
    const [server] = await presentManaged(deps, list, [{ ...row, permissions }])
    return orNotFound(server, 'SERVER_NOT_FOUND')
  }

  bind(managers.managed, async ({ caller, params }) => {
    const row = await getManagedServer(db, caller.userId, params.ownerId, params.serverId)
    return show(row, row.permissions)
  })

  bind(managers.changeManaged, ({ caller, params, body, ifMatch }) =>
    replyWith(changeServer(db, actor(caller, params), body, ifMatch), ({ row, permissions }) => show(row, permissions)),
  )

  bind(managers.reissueManaged, async ({ caller, params, body }) => {
    const { row, permissions, credential } = await reissueCredential(db, actor(caller, params), body.grace_seconds)
    return { ...(await show(row, permissions)), credential: credential.reveal() }
  })

  bind(managers.resetManagedAddress, async ({ caller, params }) => {
    const { row, permissions } = await resetAddress(db, actor(caller, params))
    return show(row, permissions)
  })

  bind(managers.appearance, ({ caller, params }) => getAppearanceOptions(db, caller.userId, params.ownerId))
}
