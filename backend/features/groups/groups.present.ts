import type { Group } from '#contract/groups.ts'
import type { GroupWithServers } from './groups.ts'

export const presentGroup = (group: GroupWithServers): Group => ({
  ...group,
  servers: [...group.servers],
  created_at: group.created_at.toISOString(),
})
