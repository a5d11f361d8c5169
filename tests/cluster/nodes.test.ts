/** Three real programs on one database: announces reach every node, and a crashed node does not affect the others. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Cluster, type ClusterNode, startCluster } from './cluster.ts'
import { Fleet, type FleetServer, registerServers } from './fleet.ts'
import { listOf, waitUntilEqual, watchLists } from './lists.ts'
import { SIZE, note } from './size.ts'

let cluster: Cluster
let fleet: Fleet
let servers: FleetServer[]
let nodes: readonly ClusterNode[]

beforeAll(async () => {
  cluster = await startCluster(3, { ANNOUNCE_TTL_SECONDS: String(SIZE.ttlSeconds) })
  nodes = cluster.nodes
  servers = await registerServers(cluster.db, SIZE.servers)
  fleet = new Fleet(
    servers,
    nodes.map((node) => node.listUrl),
  )
}, 300_000)

beforeEach(() => {
  fleet.failures.length = 0
})

async function nodesSeenBy({ panelUrl }: { readonly panelUrl: string }): Promise<number> {
  return Number(/^muster_nodes (\d+)$/m.exec(await (await fetch(`${panelUrl}/metrics`)).text())?.[1])
}

describe('three nodes', () => {
  test('an announce on one node appears in the lists of the others in time', async () => {
    await fleet.announceAll()
    expect(fleet.failures).toEqual([])
    for (const [index, node] of nodes.entries()) {
      const server = servers[index] as FleetServer
      await fleet.announce(server, node.listUrl)
      const began = performance.now()
      const others = nodes.filter((other) => other !== node)
      const shows = async (other: ClusterNode) =>
        (await listOf(other)).rows.some((row) => row.publicId === server.publicId && row.playersCount === server.acknowledged)
      const showEverywhere = async () => (await Promise.all(others.map(shows))).every(Boolean)
      await expect.poll(showEverywhere, { interval: 20, timeout: SIZE.propagatedWithinMs }).toBe(true)
      const took = performance.now() - began
      note(`an announce on node ${index} is in every other list after`, took)
      expect(took).toBeLessThanOrEqual(SIZE.propagatedWithinMs)
    }
  }, 300_000)

  test('the lists have the same ETag and show every last announce soon after announces stop', async () => {
    fleet.start(SIZE.announceEveryMs)
    await expect.poll(() => fleet.accepted > servers.length * 3, { timeout: 60_000 }).toBe(true)
    await fleet.quiet()
    note('lists equal after announces stopped', await waitUntilEqual(nodes, servers))
    expect(fleet.failures).toEqual([])
  }, 300_000)

  test('when one node is killed, no server that announces to the others expires, and all lists agree after its restart', async () => {
    const [first, ...others] = nodes as [ClusterNode, ClusterNode, ClusterNode]
    const survivors = new Fleet(
      servers,
      others.map((node) => node.listUrl),
    )
    await fleet.announceAll()
    await waitUntilEqual(nodes, servers)
    const watch = watchLists(others, servers)
    await first.kill()
    for (const node of others) await expect.poll(() => nodesSeenBy(node)).toBe(nodes.length - 1)
    survivors.start(SIZE.announceEveryMs)
    const over = performance.now() + SIZE.ttlSeconds * 1500
    await expect.poll(() => performance.now() > over, { timeout: SIZE.ttlSeconds * 2000 + 10_000 }).toBe(true)
    await first.start()
    await survivors.quiet()
    note('lists equal after a node was killed and restarted', await waitUntilEqual(nodes, servers))
    await watch.stop()
    expect(watch.gaps).toEqual([])
    expect(survivors.failures).toEqual([])
  }, 240_000)
})
