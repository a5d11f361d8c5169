import * as groups from '#contract/groups.ts'
import type { AccountPart } from '#contract/live.ts'
import type { Deps } from '#backend/platform/deps.ts'
import type { Doors } from '#backend/app/services.ts'
import { tellManagers } from '#backend/features/managers/telling.ts'
import type { Bind } from '#backend/platform/http/bind.ts'
import { createGroup, listGroups, removeGroup, renameGroup } from './groups.ts'
import { presentGroup } from './groups.present.ts'

export function bindGroups(bind: Bind, deps: Deps, { tellList, live, changes }: Pick<Doors, 'tellList' | 'live' | 'changes'>): void {
  const { db } = deps
  /** The owner, and those managers with a panel open, who put his servers in groups too. */
  const tell = async (ownerId: string, ...alsoChanged: readonly AccountPart[]) => {
    live.account([ownerId], 'benefits', 'activity', ...alsoChanged)
    await tellManagers(deps, { live }, ownerId, 'benefits')
  }

  bind(groups.list, async ({ caller }) => (await listGroups(db, caller.userId)).map(presentGroup))

  bind(groups.create, async ({ caller, body }) => {
    const row = await changes.run(caller.userId, () => createGroup(db, caller.userId, body))
    await tell(caller.userId)
    return presentGroup({ ...row, servers: [] })
  })

  bind(groups.rename, async ({ caller, params, body }) => {
    const { group, hasChanged } = await changes.run(caller.userId, () => renameGroup(db, caller.userId, params.id, body))
    if (hasChanged) {
      await tellList(...group.servers.map((server) => server.public_id))
      await tell(caller.userId, 'servers')
    }
    return presentGroup(group)
  })

  bind(groups.remove, async ({ caller, params }) => {
    const { servers } = await changes.run(caller.userId, () => removeGroup(db, caller.userId, params.id))
    await tellList(...servers)
    await tell(caller.userId, 'servers')
  })
}
