/** A restart of one node after the other under load, behind whatever stands in front. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type { ServerWithCredential } from '#contract/servers.ts'
import { newName } from '#tests/factories.ts'
import type { Cluster } from './cluster.ts'
import { Fleet, type FleetServer } from './fleet.ts'
import type { LoadBalancer } from './load-balancer.ts'
import { ListFollower } from './list-follower.ts'
import { listOf, untilAlike } from './lists.ts'
import { call } from './panel-call.ts'
import { SIZE, note } from './size.ts'

/** Reads and writes of the panel, and reads of the list, again and again. Answers what went wrong. */
function workInThePanel(front: LoadBalancer, cookie: string, publicId: string): { stop(): Promise<{ calls: number; failures: string[] }> } {
  const failures: string[] = []
  let calls = 0
  let isOver = false
  const again = async (route: string, body?: unknown) => {
    while (!isOver) {
      const done = await call(front.panelUrl, cookie, route, body).catch((error: unknown) => ({ status: 0, text: String(error) }))
      calls += 1
      if (done.status !== 200) failures.push(`${route}: ${done.status} ${done.text}`)
      await sleep(20)
    }
  }
  const readList = async () => {
    while (!isOver) {
      const status = await fetch(`${front.listUrl}/servers`).then(
        async (answer) => (await answer.arrayBuffer(), answer.status),
        (error: unknown) => String(error),
      )
      calls += 1
      if (status !== 200) failures.push(`GET /servers: ${status}`)
      await sleep(20)
    }
  }
  const running = [
    again('GET /api/users/tokens'),
    again(`PATCH /api/users/tokens/${publicId}`, { description: 'Changed while the nodes restart' }),
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

/** A client that was away during announces receives them from whichever node it resumes on, without reading the list again. */
async function missNothingWhileAway({ nodes }: Cluster, front: LoadBalancer, fleet: Fleet, follower: ListFollower): Promise<void> {
  // From ten seconds into its life a node takes the versions of others (docs/decisions/0005).
  const taken = async () => {
    await fleet.announceAll()
    await sleep(2000)
    return Promise.all(nodes.map(async ({ listUrl }) => (await fetch(`${listUrl}/servers?since=${follower.version}`)).status))
  }
  await expect.poll(taken, { timeout: 40_000, interval: 100 }).toEqual(nodes.map(() => 200))
  const { lists } = follower
  await follower.whileAway(() => fleet.announceAll())
  await untilAlike(nodes, fleet.servers)
  const { rows } = await listOf(front)
  await expect.poll(() => follower.differences(rows), { timeout: 10_000 }).toEqual([])
  expect(follower.lists).toBe(lists)
}

/**
 * Restarts every node, one after the other, during announces, panel calls and an open stream, and waits until no acknowledged
 * announce is missing on any, nor in the follower's copy. Answers every request and announce that failed.
 */
export async function restartAllUnderLoad(cluster: Cluster, front: LoadBalancer, servers: readonly FleetServer[]): Promise<unknown[]> {
  const cookie = await cluster.signIn(front.panelUrl, { id: '1', username: 'visitor' })
  const own = await call<ServerWithCredential>(front.panelUrl, cookie, 'POST /api/users/tokens', { name: newName() })
  expect(own.status, own.text).toBe(200)
  const fleet = new Fleet(servers, [front.listUrl])
  await fleet.announceAll()
  expect(fleet.failures).toEqual([])
  fleet.start(SIZE.announceEveryMs)
  const panel = workInThePanel(front, cookie, own.data.public_id)
  const follower = await ListFollower.follow(front.listUrl)
  try {
    // Its stream is open before the first node goes.
    await expect.poll(() => follower.away.length).toBe(1)
    for (const node of cluster.nodes) {
      expect(await node.stop(), node.output()).toBe(0)
      await node.start()
      // The front has to notice that it is there again before the next one goes.
      await sleep(front.detectsWithinMs)
    }
    // The fleet still announces: a node accepts only those versions of other nodes that are ten seconds younger than its own start
    // (docs/decisions/0005), and a list that doesn't change gets no new version.
    await expect.poll(() => follower.away.length, { timeout: 40_000 }).toBeGreaterThan(1)
    const { calls, failures } = await panel.stop()
    await fleet.quiet()
    expect(calls).toBeGreaterThan(50)
    note('alike after every node was restarted', await untilAlike(cluster.nodes, servers))
    note(`without the stream at most, with ${follower.lists} lists read`, Math.max(...follower.away))
    await missNothingWhileAway(cluster, front, fleet, follower)
    return [...new Set(failures), ...fleet.failures]
  } finally {
    await follower.stop()
  }
}
