import type { ManagedServer } from '#contract/servers/servers.ts'
import type { ReceivedManagement } from '#contract/users/users.ts'
import { compareTexts } from '#web/lib/lists.ts'

export type ManagedGroup = Pick<ReceivedManagement, 'owner' | 'permissions'> & { servers: ManagedServer[] }

/** Sorted by owner; owners without servers come last. The two lists are fetched separately and may briefly differ. */
export function managedGroups(received: readonly ReceivedManagement[], management: readonly ManagedServer[]): ManagedGroup[] {
  const groups = new Map<string, ManagedGroup>()
  for (const { owner_id, owner, permissions } of received) groups.set(owner_id, { owner, permissions, servers: [] })
  for (const server of management) {
    const group = groups.get(server.user_id) ?? { owner: server.owner, permissions: server.permissions, servers: [] }
    group.servers.push(server)
    groups.set(server.user_id, group)
  }
  return [...groups.values()].toSorted(
    (a, b) =>
      Number(a.servers.length === 0) - Number(b.servers.length === 0) || compareTexts(a.owner.discord.username, b.owner.discord.username),
  )
}
