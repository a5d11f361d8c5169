import * as groups from '#contract/servers/groups.ts'
import type { Bind } from '#backend/platform/http/bind.ts'
import { replyWith } from '#backend/platform/http/if-match.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { type GroupWithServers, createGroup, listGroups, removeGroup, renameGroup } from './groups.ts'

const presentGroup = (group: GroupWithServers): groups.Group => ({
  ...group,
  servers: [...group.servers],
  created_at: group.created_at.toISOString(),
})

export function bindGroups(bind: Bind, { db }: Pick<Deps, 'db'>): void {
  bind(groups.list, async ({ caller }) => (await listGroups(db, caller.userId)).map(presentGroup))

  bind(groups.create, async ({ caller, body }) => presentGroup(await createGroup(db, caller.userId, body)))

  bind(groups.rename, ({ caller, params, body, ifMatch }) =>
    replyWith(renameGroup(db, caller.userId, params.id, body, ifMatch), presentGroup),
  )

  bind(groups.remove, ({ caller, params }) => removeGroup(db, caller.userId, params.id))
}
