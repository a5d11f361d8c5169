/** A replica before its promotion: what a running program returns, and how another program fails to start. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startProgram, temporaryFolder, discard, until } from '#tests/program.ts'
import { ADMIN, type Cluster, type ClusterNode, startCluster } from './cluster.ts'
import { Fleet, registerServers } from './fleet.ts'
import { listOf } from './lists.ts'
import { call } from './panel-call.ts'
import { type Replica, startReplica } from './replica.ts'

let cluster: Cluster
let node: ClusterNode
let replica: Replica | undefined
let cookie: string

beforeAll(async () => {
  cluster = await startCluster(1)
  node = cluster.nodes[0] as ClusterNode
  cookie = await cluster.signIn(node.panelUrl, ADMIN)
  const fleet = new Fleet(await registerServers(cluster.db, 3), [node.listUrl])
  await fleet.announceAll()
  await until(async () => (await listOf(node)).rows.length === 3)
  replica = await startReplica(cluster.folder)
  await replica.caughtUp()
  await cluster.failOver(replica.folder)
}, 300_000)
afterAll(async () => {
  await node.kill()
  await replica?.close()
})

const readiness = async () => (await fetch(`${node.panelUrl}/readyz`)).text()

test('calls that read live states are answered, and the list is served', async () => {
  await until(async () => (await readiness()).includes('read-only'))
  for (const route of ['GET /api/admin/tokens?status=online', 'GET /api/admin/tokens?sort=players']) {
    const { status, text } = await call(node.panelUrl, cookie, route)
    expect([route, status], text).toEqual([route, 200])
  }
  expect((await listOf(node)).rows.length).toBe(3)
  expect(node.output()).not.toMatch(/"level":(?:50|60)/)
}, 300_000)

test('a program started on the replica exits with code 1 and reports a read-only database', async () => {
  const folder = temporaryFolder()
  const { host, port } = node.databaseProxy.connection
  const program = await startProgram(folder, { DATABASE_URL: `postgres://postgres@${host}:${port}/postgres` })
  try {
    expect(await program.ended).toBe(1)
    expect(program.output()).toContain('The database is read-only')
    expect(program.output()).not.toContain('Cause:')
  } finally {
    discard(folder, program)
  }
}, 300_000)
