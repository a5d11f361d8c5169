import type { ManagedServer } from '#contract/servers.ts'
import type { ReceivedManagement } from '#contract/users.ts'

export type ManagedGroup = Pick<ReceivedManagement, 'owner' | 'permissions'> & { servers: ManagedServer[] }

/** Sorted by owner, those without servers last. The two lists are fetched separately and may disagree briefly. */
export function managedGroups(received: readonly ReceivedManagement[], management: readonly ManagedServer[]): ManagedGroup[] {
  const groups = new Map<string, ManagedGroup>()
  for (const { owner_id, owner, permissions } of received) groups.set(owner_id, { owner, permissions, servers: [] })
  for (const server of management) {
    const group = groups.get(server.user_id) ?? { owner: server.owner, permissions: server.permissions, servers: [] }
    group.servers.push(server)
    groups.set(server.user_id, group)
  }
  return [...groups.values()].toSorted(
    (one, other) =>
      Number(one.servers.length === 0) - Number(other.servers.length === 0) ||
      one.owner.discord.username.localeCompare(other.owner.discord.username),
  )
}
