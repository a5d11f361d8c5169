/** Nodes agree on who is listed at an endpoint, and on whose process an entry is. */
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import type { AnnounceReply } from '#contract/masterlist/masterlist.ts'
import type { Server, ServerWithCredential } from '#contract/servers/servers.ts'
import type { Me } from '#contract/users/users.ts'
import { newName, portOf, validAnnounce } from '#tests/factories.ts'
import { ADMIN, type Cluster, startCluster } from './cluster.ts'
import { listOf } from './lists.ts'
import { call } from './panel-call.ts'

let cluster: Cluster
let cookie: string

beforeAll(async () => {
  cluster = await startCluster(2)
  cookie = await cluster.signIn(panelUrl(), ADMIN)
  const { data: me } = await call<Me>(panelUrl(), cookie, 'GET /api/auth/me')
  await call(panelUrl(), cookie, `PATCH /api/admin/users/${me.id}`, { max_masterlist_tokens: 100 })
}, 300_000)

const panelUrl = () => cluster.nodes[0]?.panelUrl ?? ''

async function makeServer(): Promise<ServerWithCredential> {
  const created = await call<ServerWithCredential>(panelUrl(), cookie, 'POST /api/users/tokens', { name: newName() })
  expect(created.status, created.text).toBe(200)
  return created.data
}

async function announce(node: number, credential: string, port: number): Promise<AnnounceReply> {
  const response = await fetch(`${cluster.nodes[node]?.listUrl}/announce`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${credential}` },
    body: JSON.stringify({ ...validAnnounce, port }),
  })
  expect(response.status).toBe(200)
  return (await response.json()) as AnnounceReply
}

async function sayGoodbye(node: number, credential: string, port: number): Promise<void> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${credential}` }
  const response = await fetch(`${cluster.nodes[node]?.listUrl}/announce`, { method: 'DELETE', headers, body: JSON.stringify({ port }) })
  expect(response.status).toBe(204)
}

const rowsAt = async (port: number) =>
  Promise.all(cluster.nodes.map(async (node) => (await listOf(node)).rows.filter((row) => row.port === port).map((row) => row.publicId)))

test('twenty credentials that claim one endpoint at once on two nodes are one and the same row on both', async () => {
  const servers = await Promise.all(Array.from({ length: 20 }, makeServer))
  const claim = () => Promise.all(servers.map(({ credential }, index) => announce(index % 2, credential, 21_000)))
  for (let round = 0; round < 3; round += 1) await claim()
  const isOneRow = async () => {
    const [first = [], second = []] = await rowsAt(21_000)
    return first.length === 1 && first[0] === second[0] && second.length === 1
  }
  await expect.poll(isOneRow, { timeout: 20_000 }).toBe(true)
  const listed = async () => (await claim()).filter((reply) => reply.listed).length
  await expect.poll(listed, { timeout: 20_000 }).toBe(1)
})

test('two processes that announce on different nodes are one entry with one port, and both get a notice', async () => {
  const { credential, public_id: id } = await makeServer()
  const port = portOf(credential)
  const codes = async (node: number, port: number) => (await announce(node, credential, port)).notices.map(({ code }) => code)
  // Nodes learn of each other's announces within half a second.
  const pause = () => sleep(700)
  const turn = async () => [await codes(0, port), await pause(), await codes(1, port + 1), await pause()].flat()
  await expect.poll(turn, { timeout: 30_000, interval: 2000 }).toEqual(['TWO_PROCESSES', undefined, 'TWO_PROCESSES', undefined])
  const ports = async () =>
    Promise.all(cluster.nodes.map(async (node) => (await listOf(node)).rows.find((row) => row.publicId === id)?.port))
  await expect.poll(ports, { timeout: 20_000 }).toEqual([port, port])
  for (let round = 0; round < 3; round += 1) await turn()
  expect(await ports()).toEqual([port, port])
  const reasons = async (node: number) => {
    const { data } = await call<Server>(cluster.nodes[node]?.panelUrl ?? '', cookie, `GET /api/users/tokens/${id}`)
    return data.listing.reasons.map(({ code }) => code)
  }
  expect(await reasons(0)).toContain('TWO_PROCESSES')
  // The other process says goodbye to the node that it never announced to.
  await sayGoodbye(0, credential, port + 1)
  await expect.poll(() => reasons(1)).not.toContain('TWO_PROCESSES')
  await sayGoodbye(1, credential, port)
  await expect.poll(ports, { message: 'the process that left does not take over' }).toEqual([undefined, undefined])
})
