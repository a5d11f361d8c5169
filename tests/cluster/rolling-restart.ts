/** Restarts all nodes in turn under load, behind a load balancer. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type { ServerWithCredential } from '#contract/servers/servers.ts'
import { newName } from '#tests/factories.ts'
import type { Cluster } from './cluster.ts'
import { Fleet, type FleetServer } from './fleet.ts'
import type { LoadBalancer } from './load-balancer.ts'
import { ListFollower } from './list-follower.ts'
import { listOf, waitUntilEqual } from './lists.ts'
import { call } from './panel-call.ts'
import { SIZE, note } from './size.ts'

/** Calls the panel and reads the list in a loop until stopped. Returns the failures. */
function startPanelLoad(
  loadBalancer: LoadBalancer,
  cookie: string,
  publicId: string,
): { stop(): Promise<{ calls: number; failures: string[] }> } {
  const failures: string[] = []
  let calls = 0
  let isOver = false
  const repeat = async (route: string, body?: unknown) => {
    while (!isOver) {
      const done = await call(loadBalancer.panelUrl, cookie, route, body).catch((error: unknown) => ({ status: 0, text: String(error) }))
      calls += 1
      if (done.status !== 200) failures.push(`${route}: ${done.status} ${done.text}`)
      await sleep(20)
    }
  }
  const readList = async () => {
    while (!isOver) {
      const status = await fetch(`${loadBalancer.listUrl}/servers`).then(
        async (response) => (await response.arrayBuffer(), response.status),
        (error: unknown) => String(error),
      )
      calls += 1
      if (status !== 200) failures.push(`GET /servers: ${status}`)
      await sleep(20)
    }
  }
  const running = [
    repeat('GET /api/users/tokens'),
    repeat(`PATCH /api/users/tokens/${publicId}`, { description: 'Changed while the nodes restart' }),
    readList(),
  ]
  return {
    async stop() {
      isOver = true
      await Promise.all(running)
      return { calls, failures }
    },
  }
}

/** A client that was disconnected during announces receives them on any node, without reading the list again. */
async function expectNothingMissed({ nodes }: Cluster, loadBalancer: LoadBalancer, fleet: Fleet, follower: ListFollower): Promise<void> {
  // A node accepts versions of other nodes once it is ten seconds old (docs/decisions/0005).
  const statuses = async () => {
    await fleet.announceAll()
    await sleep(2000)
    return Promise.all(nodes.map(async ({ listUrl }) => (await fetch(`${listUrl}/servers?since=${follower.version}`)).status))
  }
  await expect.poll(statuses, { timeout: 40_000, interval: 100 }).toEqual(nodes.map(() => 200))
  const { lists } = follower
  await follower.whileDisconnected(() => fleet.announceAll())
  await waitUntilEqual(nodes, fleet.servers)
  const { rows } = await listOf(loadBalancer)
  await expect.poll(() => follower.differingIds(rows), { timeout: 10_000 }).toEqual([])
  expect(follower.lists).toBe(lists)
}

/**
 * Restarts every node in turn during announces, panel calls and an open stream. Waits until every node and the follower have all
 * accepted announces. Returns the failed requests and announces.
 */
export async function restartAllUnderLoad(
  cluster: Cluster,
  loadBalancer: LoadBalancer,
  servers: readonly FleetServer[],
): Promise<unknown[]> {
  const cookie = await cluster.signIn(loadBalancer.panelUrl, { id: '1', username: 'visitor' })
  const own = await call<ServerWithCredential>(loadBalancer.panelUrl, cookie, 'POST /api/users/tokens', { name: newName() })
  expect(own.status, own.text).toBe(200)
  const fleet = new Fleet(servers, [loadBalancer.listUrl])
  await fleet.announceAll()
  expect(fleet.failures).toEqual([])
  fleet.start(SIZE.announceEveryMs)
  const panel = startPanelLoad(loadBalancer, cookie, own.data.public_id)
  const follower = await ListFollower.follow(loadBalancer.listUrl)
  try {
    // The stream is open before the first restart.
    await expect.poll(() => follower.downtimesMs.length).toBe(1)
    for (const node of cluster.nodes) {
      expect(await node.stop(), node.output()).toBe(0)
      await node.start()
      // The load balancer must detect this node before the next restart.
      await sleep(loadBalancer.detectsWithinMs)
    }
    // The fleet keeps announcing, because an unchanged list gets no new version. A node accepts only versions of other nodes that are
    // at least ten seconds younger than its own start (docs/decisions/0005).
    await expect.poll(() => follower.downtimesMs.length, { timeout: 40_000 }).toBeGreaterThan(1)
    const { calls, failures } = await panel.stop()
    await fleet.quiet()
    expect(calls).toBeGreaterThan(50)
    note('lists equal after every node was restarted', await waitUntilEqual(cluster.nodes, servers))
    note(`longest time without the stream, with ${follower.lists} lists read`, Math.max(...follower.downtimesMs))
    await expectNothingMissed(cluster, loadBalancer, fleet, follower)
    return [...new Set(failures), ...fleet.failures]
  } finally {
    await follower.stop()
  }
}
