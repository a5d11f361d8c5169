/** Three real programs, one or all of which lose the database: the lists stay complete and recover automatically. */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { until } from '#tests/program.ts'
import { type Cluster, type ClusterNode, startCluster } from './cluster.ts'
import { Fleet, type FleetServer, registerServers } from './fleet.ts'
import { listOf, waitUntilEqual, watchLists } from './lists.ts'
import { call } from './panel-call.ts'
import { startReplica } from './replica.ts'
import { SIZE, note } from './size.ts'

let cluster: Cluster
let servers: FleetServer[]
let nodes: readonly [ClusterNode, ClusterNode, ClusterNode]
let cookie: string
let fleet: Fleet

beforeAll(async () => {
  cluster = await startCluster(3, { ANNOUNCE_TTL_SECONDS: String(SIZE.ttlSeconds) })
  nodes = cluster.nodes as unknown as typeof nodes
  servers = await registerServers(cluster.db, SIZE.servers)
  cookie = await cluster.signIn(nodes[0].panelUrl, { id: '1', username: 'visitor' })
  fleet = new Fleet(servers, urlsOf(nodes))
}, 300_000)

beforeEach(async () => {
  fleet.failures.length = 0
  await fleet.announceAll()
  await waitUntilEqual(nodes, servers)
  expect(fleet.failures).toEqual([])
})

const urlsOf = (some: readonly ClusterNode[]) => some.map((node) => node.listUrl)

/** Half of the servers announce to the `near` nodes, the other half to the `far` ones. */
function splitFleet(near: readonly ClusterNode[], far: readonly ClusterNode[]): { near: Fleet; far: Fleet } {
  const half = (rest: number) => servers.filter((_, index) => index % 2 === rest)
  return { near: new Fleet(half(0), urlsOf(near)), far: new Fleet(half(1), urlsOf(far)) }
}

const outage = () => sleep(SIZE.outageSeconds * 1000)
const isReady = async (node: ClusterNode) => (await fetch(`${node.panelUrl}/readyz`)).status === 200
/** `/readyz` ignores disconnects of less than five seconds; this metric does not. */
const isConnected = async (node: ClusterNode) =>
  /^muster_bus_disconnected_seconds 0$/m.test(await (await fetch(`${node.panelUrl}/metrics`)).text())
const untilReady = () => until(async () => (await Promise.all(nodes.flatMap((node) => [isReady(node), isConnected(node)]))).every(Boolean))

/** The node is not ready, serves its list with an Age, and rejects writes with Retry-After. */
async function expectDegraded(node: ClusterNode): Promise<void> {
  await expect.poll(async () => (await listOf(node)).age, { timeout: 60_000 }).toBeGreaterThan(0)
  expect(await isReady(node)).toBe(false)
  const rejected = await call(node.panelUrl, cookie, 'POST /api/users/tokens', { name: 'Not now' })
  expect(rejected.status, rejected.text).toBe(503)
  expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(0)
}

/** The node is ready, and its list is current. */
async function expectHealthy(node: ClusterNode): Promise<void> {
  expect(await isReady(node)).toBe(true)
  expect((await listOf(node)).age).toBeUndefined()
}

const storedOnlineCount = async () => {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from presence where online`.execute(cluster.db)
  return rows[0]?.count
}

test('a node cut off from the database expires no server and shows the age of its list; once reconnected, all lists agree', async () => {
  const [first, second, third] = nodes
  const { near, far } = splitFleet([first, third], nodes)
  const watch = watchLists(nodes, servers)
  near.start(SIZE.announceEveryMs)
  far.start(SIZE.announceEveryMs)
  second.databaseProxy.stall()
  await expectDegraded(second)
  await outage()
  for (const node of [first, third]) await expectHealthy(node)
  second.databaseProxy.restore()
  await untilReady()
  await Promise.all([near.quiet(), far.quiet()])
  note('lists equal after a node was cut off', await waitUntilEqual(nodes, servers))
  await watch.stop()
  expect(watch.gaps).toEqual([])
  expect([...near.failures, ...far.failures]).toEqual([])
}, 300_000)

test('with one node cut off and another killed, the third accepts changes, no server expires, and all lists agree after recovery', async () => {
  const [first, second, third] = nodes
  const { near, far } = splitFleet([first, third], nodes)
  const watch = watchLists([first, second], servers)
  near.start(SIZE.announceEveryMs)
  far.start(SIZE.announceEveryMs)
  // Some announces reach the node that is killed next.
  await sleep(SIZE.announceEveryMs)
  second.databaseProxy.stall()
  await third.kill()
  near.setUrls(urlsOf([first]))
  far.setUrls(urlsOf([first, second]))
  await expectDegraded(second)
  await outage()
  await expectHealthy(first)
  const created = await call(first.panelUrl, cookie, 'POST /api/users/tokens', { name: 'While one is there' })
  expect(created.status, created.text).toBe(200)
  // The restarted node loads everything from the database while the second node is still cut off.
  await third.start()
  const watchThird = watchLists([third], servers)
  near.setUrls(urlsOf([first, third]))
  far.setUrls(urlsOf(nodes))
  await expectHealthy(third)
  expect(await isReady(second)).toBe(false)
  second.databaseProxy.restore()
  await untilReady()
  await Promise.all([near.quiet(), far.quiet()])
  note('lists equal after a node was killed while another was cut off', await waitUntilEqual(nodes, servers))
  await Promise.all([watch.stop(), watchThird.stop()])
  expect(watch.gaps).toEqual([])
  expect(watchThird.gaps).toEqual([])
  // Only announces in flight to the killed node are lost.
  const failed = [...near.failures, ...far.failures]
  expect(failed.filter(({ status, url }) => status !== 0 || url !== third.listUrl)).toEqual([])
}, 300_000)

test('after a crash of the database, the lists stay complete, and all live states are stored', async () => {
  const watch = watchLists(nodes, servers)
  fleet.start(SIZE.announceEveryMs)
  await cluster.crashDatabase()
  for (const node of nodes) await expectDegraded(node)
  await outage()
  await cluster.startDatabase()
  await untilReady()
  await fleet.quiet()
  note('lists equal after a database crash', await waitUntilEqual(nodes, servers))
  await expect.poll(storedOnlineCount, { timeout: 60_000 }).toBe(servers.length)
  await watch.stop()
  expect(watch.gaps).toEqual([])
  expect(fleet.failures).toEqual([])
}, 300_000)

test('after a crash of the database and all nodes, a restart shows the list as it was', async () => {
  // The other nodes show only what is saved.
  await waitUntilEqual(nodes, servers)
  const { rows } = await listOf(nodes[0])
  await Promise.all([cluster.crashDatabase(), ...nodes.map((node) => node.kill())])
  await cluster.startDatabase()
  const startAsBefore = async (node: ClusterNode) => {
    await node.start()
    expect((await listOf(node)).rows).toEqual(rows)
  }
  await Promise.all(nodes.map(startAsBefore))
}, 300_000)

test('after a failover to a replica, the lists stay complete, and all live states are stored', async () => {
  const replica = await startReplica(cluster.folder)
  try {
    const watch = watchLists(nodes, servers)
    fleet.start(SIZE.announceEveryMs)
    await replica.caughtUp()
    await cluster.crashDatabase()
    await replica.promote()
    await cluster.failOver(replica.folder)
    const began = performance.now()
    await untilReady()
    note('nodes connected after a failover', performance.now() - began)
    await fleet.quiet()
    note('lists equal after a failover', await waitUntilEqual(nodes, servers))
    await expect.poll(storedOnlineCount, { timeout: 60_000 }).toBe(servers.length)
    // The rest of the database was replicated: the user is still signed in, and may write.
    const created = await call(nodes[1].panelUrl, cookie, 'POST /api/users/tokens', { name: 'After the failover' })
    expect(created.status, created.text).toBe(200)
    await watch.stop()
    expect(watch.gaps).toEqual([])
    expect(fleet.failures).toEqual([])
  } finally {
    await Promise.all(nodes.map((node) => node.kill()))
    await replica.close()
  }
}, 300_000)
