/** Three real programs of which one, or all, lose the database: the lists stay whole, and recover automatically. */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { until } from '#tests/program.ts'
import { type Cluster, type ClusterNode, startCluster } from './cluster.ts'
import { Fleet, type FleetServer, registerServers } from './fleet.ts'
import { listOf, untilAlike, watchLists } from './lists.ts'
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
  await untilAlike(nodes, servers)
  expect(fleet.failures).toEqual([])
})

const urlsOf = (some: readonly ClusterNode[]) => some.map((node) => node.listUrl)

/** Every other server announces to the near nodes only, the others to the far ones, too. */
function halves(near: readonly ClusterNode[], far: readonly ClusterNode[]): { near: Fleet; far: Fleet } {
  const half = (rest: number) => servers.filter((_, index) => index % 2 === rest)
  return { near: new Fleet(half(0), urlsOf(near)), far: new Fleet(half(1), urlsOf(far)) }
}

const away = () => sleep(SIZE.awaySeconds * 1000)
const isReady = async (node: ClusterNode) => (await fetch(`${node.panelUrl}/readyz`)).status === 200
/** Where it was cut off for less than five seconds `/readyz` never said no: whether it hears the others again is a figure. */
const hearsOthers = async (node: ClusterNode) =>
  /^muster_bus_disconnected_seconds 0$/m.test(await (await fetch(`${node.panelUrl}/metrics`)).text())
const untilReady = () =>
  until(async () => (await Promise.all(nodes.flatMap((node) => [isReady(node), hearsOthers(node)]))).every(Boolean), 30_000)

/** The node still serves its list with its age; writes are rejected with Retry-After. */
async function expectDegraded(node: ClusterNode): Promise<void> {
  await expect.poll(async () => (await listOf(node)).age, { timeout: 15_000 }).toBeGreaterThan(0)
  expect(await isReady(node)).toBe(false)
  const refused = await call(node.panelUrl, cookie, 'POST /api/users/tokens', { name: 'Not now' })
  expect(refused.status, refused.text).toBe(503)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
}

/** It may be sent calls, and its list is of now. */
async function expectWell(node: ClusterNode): Promise<void> {
  expect(await isReady(node)).toBe(true)
  expect((await listOf(node)).age).toBeUndefined()
}

const savedOnline = async () => {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from presence where online`.execute(cluster.db)
  return rows[0]?.count
}

test('a node cut off from the database expires no server and shows the age of its list; once reconnected, all lists agree', async () => {
  const [first, second, third] = nodes
  const { near, far } = halves([first, third], nodes)
  const watch = watchLists(nodes, servers)
  near.start(SIZE.announceEveryMs)
  far.start(SIZE.announceEveryMs)
  second.databaseProxy.stall()
  await expectDegraded(second)
  await away()
  for (const node of [first, third]) await expectWell(node)
  second.databaseProxy.restore()
  await untilReady()
  await Promise.all([near.quiet(), far.quiet()])
  note('alike after a node was cut off', await untilAlike(nodes, servers))
  await watch.stop()
  expect(watch.gaps).toEqual([])
  expect([...near.failures, ...far.failures]).toEqual([])
}, 300_000)

test('one is killed while another is cut off: the third has all, accepts changes and expires nothing; once reconnected, all agree', async () => {
  const [first, second, third] = nodes
  const { near, far } = halves([first, third], nodes)
  const watch = watchLists([first, second], servers)
  near.start(SIZE.announceEveryMs)
  far.start(SIZE.announceEveryMs)
  // So that some of what was announced was announced to the one that dies.
  await sleep(SIZE.announceEveryMs)
  second.databaseProxy.stall()
  await third.kill()
  near.reach(urlsOf([first]))
  far.reach(urlsOf([first, second]))
  await expectDegraded(second)
  await away()
  await expectWell(first)
  const made = await call(first.panelUrl, cookie, 'POST /api/users/tokens', { name: 'While one is there' })
  expect(made.status, made.text).toBe(200)
  // It learns all from the database, while the other one is still away from it.
  await third.start()
  const watchThird = watchLists([third], servers)
  near.reach(urlsOf([first, third]))
  far.reach(urlsOf(nodes))
  await expectWell(third)
  expect(await isReady(second)).toBe(false)
  second.databaseProxy.restore()
  await untilReady()
  await Promise.all([near.quiet(), far.quiet()])
  note('alike after a node was killed while another was cut off', await untilAlike(nodes, servers))
  await Promise.all([watch.stop(), watchThird.stop()])
  expect(watch.gaps).toEqual([])
  expect(watchThird.gaps).toEqual([])
  // Only what was on its way to the one that died is lost.
  const failed = [...near.failures, ...far.failures]
  expect(failed.filter(({ status, url }) => status !== 0 || url !== third.listUrl)).toEqual([])
}, 300_000)

test('the database crashes and restarts without live states: the lists stay whole, and the nodes store them again', async () => {
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

test('a replica takes over without live states: the lists stay whole, and the nodes store them again', async () => {
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
    note('all hear each other after a replica took over', performance.now() - began)
    await fleet.quiet()
    note('alike after a replica took over', await untilAlike(nodes, servers))
    await expect.poll(savedOnline, { timeout: 15_000 }).toBe(servers.length)
    // The rest of the database was replicated: the user is still signed in, and may write.
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
