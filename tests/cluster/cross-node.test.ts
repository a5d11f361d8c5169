/** A change on one of three real programs applies to the others once its call returns. */
import { beforeAll, expect, test } from 'vitest'
import type { ServerWithCredential } from '#contract/servers/servers.ts'
import type { Me } from '#contract/users/users.ts'
import { portOf, validAnnounce, newName } from '#tests/factories.ts'
import { ADMIN, type Cluster, type ClusterNode, startCluster } from './cluster.ts'
import { listOf } from './lists.ts'
import { call } from './panel-call.ts'

let cluster: Cluster
let nodes: readonly [ClusterNode, ClusterNode, ClusterNode]
let admin: string
let userCount = 0

beforeAll(async () => {
  cluster = await startCluster(3, { RATE_LIMITS: 'on' })
  nodes = cluster.nodes as unknown as typeof nodes
  admin = await cluster.signIn(nodes[0].panelUrl, ADMIN)
}, 300_000)

async function newUser(): Promise<{ cookie: string; id: string }> {
  userCount += 1
  const cookie = await cluster.signIn(nodes[userCount % 3]?.panelUrl ?? '', { id: `${10_000 + userCount}`, username: `user${userCount}` })
  return { cookie, id: (await call<Me>(nodes[0].panelUrl, cookie, 'GET /api/auth/me')).data.id }
}

async function makeServer(cookie: string, on: ClusterNode): Promise<ServerWithCredential> {
  const created = await call<ServerWithCredential>(on.panelUrl, cookie, 'POST /api/users/tokens', { name: newName() })
  expect(created.status, created.text).toBe(200)
  return created.data
}

async function announceTo(node: ClusterNode, credential: string): Promise<[number, string]> {
  const response = await fetch(`${node.listUrl}/announce`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${credential}` },
    body: JSON.stringify({ ...validAnnounce, port: portOf(credential) }),
  })
  return [response.status, ((await response.json()) as { code?: string }).code ?? '']
}

const isListed = async (node: ClusterNode, publicId: string) => (await listOf(node)).rows.some((row) => row.publicId === publicId)

test('a session from one node is valid on all nodes, and a logout ends it on all', async () => {
  const { cookie } = await newUser()
  const statuses = async () =>
    (await Promise.all(nodes.map((node) => call(node.panelUrl, cookie, 'GET /api/auth/me')))).map((one) => one.status)
  expect(await statuses()).toEqual([200, 200, 200])
  expect((await call(nodes[2].panelUrl, cookie, 'POST /api/auth/logout')).status).toBe(204)
  expect(await statuses()).toEqual([403, 403, 403])
})

test('a server created on one node can announce on every node at once', async () => {
  const { cookie } = await newUser()
  const server = await makeServer(cookie, nodes[0])
  for (const node of [nodes[1], nodes[2], nodes[0]]) expect(await announceTo(node, server.credential)).toEqual([200, ''])
})

test('after a reissue on one node, every node rejects the old credential and accepts the new one', async () => {
  const { cookie } = await newUser()
  const server = await makeServer(cookie, nodes[0])
  for (const node of nodes) expect((await announceTo(node, server.credential))[0]).toBe(200)
  const again = await call<ServerWithCredential>(nodes[1].panelUrl, cookie, `PATCH /api/users/tokens/${server.public_id}/reissue`)
  expect(again.status, again.text).toBe(200)
  const old = await Promise.all(nodes.map((node) => announceTo(node, server.credential)))
  expect(old.map(([status]) => status)).toEqual([401, 401, 401])
  const now = await Promise.all(nodes.map((node) => announceTo(node, again.data.credential)))
  expect(now.map(([status]) => status)).toEqual([200, 200, 200])
})

test('after a ban on one node, every node rejects the announces of the user, and the server leaves every list', async () => {
  const { cookie, id } = await newUser()
  const server = await makeServer(cookie, nodes[2])
  expect((await announceTo(nodes[0], server.credential))[0]).toBe(200)
  for (const node of nodes) await expect.poll(() => isListed(node, server.public_id)).toBe(true)
  expect((await call(nodes[1].panelUrl, admin, `PATCH /api/admin/users/${id}/ban`, { banned: true })).status).toBe(200)
  const rejected = await Promise.all(nodes.map((node) => announceTo(node, server.credential)))
  expect(rejected).toEqual(nodes.map(() => [403, 'OWNER_BANNED']))
  for (const node of nodes) await expect.poll(() => isListed(node, server.public_id)).toBe(false)
  expect((await call(nodes[0].panelUrl, cookie, 'GET /api/users/tokens')).status).toBe(403)
})

test('after a server is deleted on one node, every node rejects its announces', async () => {
  const { cookie } = await newUser()
  const server = await makeServer(cookie, nodes[0])
  for (const node of nodes) expect((await announceTo(node, server.credential))[0]).toBe(200)
  expect((await call(nodes[2].panelUrl, cookie, `DELETE /api/users/tokens/${server.public_id}`)).status).toBe(204)
  const rejected = await Promise.all(nodes.map((node) => announceTo(node, server.credential)))
  expect(rejected.map(([status]) => status)).toEqual([401, 401, 401])
})

test('concurrent creates on three nodes respect one server limit', async () => {
  const { cookie } = await newUser()
  const creates = Array.from({ length: 9 }, (_, index) =>
    call(nodes[index % 3]?.panelUrl ?? '', cookie, 'POST /api/users/tokens', { name: newName() }),
  )
  const created = (await Promise.all(creates)).filter((one) => one.status === 200)
  expect(created).toHaveLength(3)
})

test('announces on one node count towards the rate limit of the others', async () => {
  const { cookie } = await newUser()
  const server = await makeServer(cookie, nodes[0])
  const statuses: number[] = []
  const announceTen = async (node: ClusterNode) => {
    for (let count = 0; count < 10; count += 1) statuses.push((await announceTo(node, server.credential))[0])
  }
  await announceTen(nodes[0])
  // Bus messages arrive in order: after these calls, the other nodes have received the earlier ones.
  for (let count = 0; count < 2; count += 1) await makeServer(cookie, nodes[0])
  await announceTen(nodes[1])
  await announceTen(nodes[2])
  const accepted = statuses.filter((status) => status === 200).length
  // The burst is ten, plus the refill during the calls. Three disconnected nodes would accept thirty.
  expect(accepted).toBeGreaterThanOrEqual(10)
  expect(accepted).toBeLessThanOrEqual(20)
})
