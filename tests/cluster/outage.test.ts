/** Two real programs whose database one of them, or both, lose: the lists stay whole, and heal by themselves. */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { until } from '#tests/program.ts'
import { type Cluster, type ClusterNode, startCluster } from './cluster.ts'
import { Fleet, type FleetServer, registerServers } from './fleet.ts'
import { listOf, untilAlike, watchLists } from './lists.ts'
import { call } from './people.ts'
import { startReplica } from './replica.ts'
import { SIZE, note } from './size.ts'

let cluster: Cluster
let servers: FleetServer[]
let nodes: readonly [ClusterNode, ClusterNode]
let cookie: string
let fleet: Fleet

beforeAll(async () => {
  cluster = await startCluster(2, { ANNOUNCE_TTL_SECONDS: String(SIZE.ttlSeconds) })
  nodes = cluster.nodes as unknown as typeof nodes
  servers = await registerServers(cluster.db, SIZE.servers)
  cookie = await cluster.signIn(nodes[0].panelUrl, { id: '1', username: 'somebody' })
  fleet = new Fleet(
    servers,
    nodes.map((node) => node.listUrl),
  )
}, 300_000)

beforeEach(async () => {
  fleet.failures.length = 0
  await fleet.announceAll()
  await untilAlike(nodes, servers)
  expect(fleet.failures).toEqual([])
})

const away = () => sleep(SIZE.awaySeconds * 1000)
const isReady = async (node: ClusterNode) => (await fetch(`${node.panelUrl}/readyz`)).status === 200
const untilReady = () => until(async () => (await Promise.all(nodes.map(isReady))).every(Boolean), 30_000)

/** The list of this node is served, and says how old it is; what would be written is refused with when to come again. */
async function expectDegraded(node: ClusterNode): Promise<void> {
  await expect.poll(async () => (await listOf(node)).age, { timeout: 15_000 }).toBeGreaterThan(0)
  expect(await isReady(node)).toBe(false)
  const refused = await call(node.panelUrl, cookie, 'POST /api/users/tokens', { name: 'Not now' })
  expect(refused.status, refused.text).toBe(503)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
}

const savedOnline = async () => {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from presence where online`.execute(cluster.db)
  return rows[0]?.count
}

test('a node that is cut off from the database expires nobody and says how old its list is; mended, all are alike', async () => {
  const [first, second] = nodes
  // Every other server is only heard by the node that is not cut off; the others by both, in turn.
  const near = new Fleet(
    servers.filter((_, index) => index % 2 === 0),
    [first.listUrl],
  )
  const both = new Fleet(
    servers.filter((_, index) => index % 2 === 1),
    nodes.map((node) => node.listUrl),
  )
  const watch = watchLists(nodes, servers)
  near.start(SIZE.announceEveryMs)
  both.start(SIZE.announceEveryMs)
  second.wire.silence()
  await expectDegraded(second)
  await away()
  expect((await listOf(first)).age).toBeUndefined()
  second.wire.mend()
  await untilReady()
  await Promise.all([near.quiet(), both.quiet()])
  note('alike after a node was cut off', await untilAlike(nodes, servers))
  await watch.stop()
  expect(watch.gaps).toEqual([])
  expect([...near.failures, ...both.failures]).toEqual([])
}, 300_000)

test('the database crashes and comes back without its live states: the lists stay whole, and it is told them again', async () => {
  const watch = watchLists(nodes, servers)
  fleet.start(SIZE.announceEveryMs)
  await cluster.crashDatabase()
  for (const node of nodes) await expectDegraded(node)
  await away()
  await cluster.startDatabase()
  await untilReady()
  await fleet.quiet()
  note('alike after a crash of the database', await untilAlike(nodes, servers))
  await expect.poll(savedOnline, { timeout: 15_000 }).toBe(servers.length)
  await watch.stop()
  expect(watch.gaps).toEqual([])
  expect(fleet.failures).toEqual([])
}, 300_000)

test('a replica takes over, without the live states: the lists stay whole, and it is told them again', async () => {
  const replica = await startReplica(cluster.folder)
  try {
    const watch = watchLists(nodes, servers)
    fleet.start(SIZE.announceEveryMs)
    await replica.caughtUp()
    await cluster.crashDatabase()
    await replica.promote()
    await cluster.failOver(replica.folder)
    await untilReady()
    await fleet.quiet()
    note('alike after a replica took over', await untilAlike(nodes, servers))
    await expect.poll(savedOnline, { timeout: 15_000 }).toBe(servers.length)
    // What only the database has came along: he is still signed in, and may write.
    const made = await call(nodes[1].panelUrl, cookie, 'POST /api/users/tokens', { name: 'After the failover' })
    expect(made.status, made.text).toBe(200)
    await watch.stop()
    expect(watch.gaps).toEqual([])
    expect(fleet.failures).toEqual([])
  } finally {
    await Promise.all(nodes.map((node) => node.kill()))
    await replica.close()
  }
}, 300_000)
