/** A group as its owner gets it. */
import type { Group } from '#contract/groups.ts'
import type { GroupWithServers } from './groups.ts'

export function presentGroup({ id, name, servers, created_at: createdAt }: GroupWithServers): Group {
  return {
    id,
    name,
    servers: servers.map((server) => ({ public_id: server.public_id, name: server.name })),
    created_at: createdAt.toISOString(),
  }
}
