/** The proxy of compose.yaml, with the very file that is deployed, in front of two real programs. Without Caddy there is nothing to test here. */
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type RequestListener, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { send } from '#tests/list/send.ts'
import { type Cluster, type ClusterNode, startCluster } from './cluster.ts'
import { Fleet, type FleetServer, registerServers } from './fleet.ts'
import { CADDY, type LoadBalancer, caddy } from './load-balancer.ts'
import { listOf } from './lists.ts'
import { call } from './panel-call.ts'
import { restartAllUnderLoad } from './rolling-restart.ts'
import { SIZE } from './size.ts'

if (CADDY === undefined && process.env.MUSTER_CLUSTER_PROXY === 'needed')
  throw new Error('The proxy can only be tested with Caddy: install it (apt-get install caddy), or name it in MUSTER_CADDY.')

let cluster: Cluster
let nodes: readonly [ClusterNode, ClusterNode]
let front: LoadBalancer
let servers: FleetServer[]

/** The type and the first bytes of a stream that stays open. */
function firstOf(url: string, headers: Readonly<Record<string, string>>): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers }, (response) => {
      response.once('data', (chunk: Buffer) => {
        resolve(`${response.headers['content-type']} ${chunk.toString()}`)
        sent.destroy()
      })
    })
    sent.on('error', reject)
    sent.end()
  })
}

/** A ready node that answers every other call as the test sets. */
async function standIn(answer: RequestListener) {
  const server = createServer((incoming, outgoing) => {
    if (/^\/(?:ready|health)z$/.test(incoming.url ?? '')) outgoing.end()
    else answer(incoming, outgoing)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { panelUrl: url, listUrl: url }
}

test.skipIf(CADDY === undefined)(
  'a call that a dying node took with it goes to the next one where it reads; nothing else is said twice',
  async () => {
    const swallowed: string[] = []
    const answered: string[] = []
    const broken: unknown[] = []
    const dying = await standIn((incoming) => {
      incoming.resume().on('end', () => {
        swallowed.push(incoming.method ?? '')
        incoming.socket.destroy()
      })
    })
    const well = await standIn((incoming, outgoing) => {
      incoming.on('error', (error) => broken.push(error))
      incoming.resume().on('end', () => {
        answered.push(incoming.method ?? '')
        outgoing.end()
      })
    })
    const folder = await mkdtemp(join(tmpdir(), 'muster-front-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const { listUrl } = await caddy(CADDY ?? '', [dying, well], folder)
    const statusOf = async (method: string) =>
      (await fetch(`${listUrl}/announce`, { method, ...(method === 'POST' && { body: 'x'.repeat(300) }) })).status
    for (const method of ['GET', 'HEAD', 'POST', 'DELETE']) {
      const repeats = method === 'GET' || method === 'HEAD'
      // Who failed is passed over for two seconds, so it takes some until one meets the dying node.
      const statuses: number[] = []
      await expect
        .poll(
          async () => {
            statuses.push(await statusOf(method))
            return swallowed.includes(method)
          },
          { timeout: 15_000, interval: 100 },
        )
        .toBe(true)
      statuses.push(await statusOf(method))
      expect([method, [...new Set(statuses)].toSorted()]).toEqual([method, repeats ? [200] : [200, 502]])
      const count = (all: readonly string[]) => all.filter((one) => one === method).length
      expect(count(answered)).toBe(statuses.filter((status) => status === 200).length)
    }
    expect(broken).toEqual([])
  },
  60_000,
)

describe.skipIf(CADDY === undefined)('behind the proxy', () => {
  beforeAll(async () => {
    cluster = await startCluster(2, {
      TRUSTED_PROXIES: '127.0.0.1',
      DRAIN_SECONDS: '3',
    })
    nodes = cluster.nodes as unknown as typeof nodes
    servers = await registerServers(cluster.db, SIZE.servers)
    front = await caddy(CADDY ?? '', nodes, cluster.folder)
  }, 300_000)

  test('a caller cannot choose their address, and two addresses are two addresses', async () => {
    const server = servers[0] as FleetServer
    const announceFrom = (from: string) =>
      send(`${front.listUrl}/announce`, {
        method: 'POST',
        from,
        headers: { 'content-type': 'application/json', authorization: `Bearer ${server.credential}`, 'x-forwarded-for': '127.0.0.5' },
        body: JSON.stringify({ port: 7788, playersCount: 1, maxPlayersCount: 8, passworded: false, version: '1', branch: 'release' }),
      })
    expect((await announceFrom('127.0.0.5')).status).toBe(200)
    expect((await announceFrom('127.0.0.6')).status).toBe(409)
    expect((await announceFrom('127.0.0.5')).status).toBe(200)
    await cluster.db.deleteFrom('credential_uses').execute()
    await Promise.all(nodes.map((node) => node.stop()))
    await Promise.all(nodes.map((node) => node.start()))
    // The proxy asks the nodes' two listeners each for itself.
    const readyAt = async (url: string) => (await fetch(`${url}/readyz`)).status
    await expect.poll(() => Promise.all([front.panelUrl, front.listUrl].map(readyAt))).toEqual([200, 200])
  }, 60_000)

  test('the list comes compressed as the node made it, and 304 where nothing changed', async () => {
    await new Fleet(servers, [front.listUrl]).announceAll()
    await expect.poll(async () => (await listOf(front)).rows.length).toBe(servers.length)
    const zipped = await send(`${front.listUrl}/servers`, { headers: { 'accept-encoding': 'br' } })
    expect([zipped.status, zipped.headers['content-encoding']]).toEqual([200, 'br'])
    await expect
      .poll(async () => (await send(`${front.listUrl}/servers`, { headers: { 'if-none-match': (await listOf(front)).etag } })).status)
      .toBe(304)
  })

  test('events of an open panel and of the list arrive while their streams are open', async () => {
    const cookie = await cluster.signIn(front.panelUrl, { id: '2', username: 'reader' })
    expect(await firstOf(`${front.panelUrl}/api/users/tokens/events`, { cookie })).toMatch(/^text\/event-stream/)
    const changed = firstOf(`${front.listUrl}/servers/stream`, {})
    await new Fleet(servers, [front.listUrl]).announceAll()
    expect(await changed).toMatch(/^text\/event-stream/)
  })

  test('the metrics of a node are not for the public', async () => {
    expect((await fetch(`${front.panelUrl}/metrics`)).status).toBe(404)
    expect((await fetch(`${front.listUrl}/metrics`)).status).toBe(404)
  })

  test('a rolling restart fails no request and loses no acknowledged announce and no change on the stream', async () => {
    expect(await restartAllUnderLoad(cluster, front, servers)).toEqual([])
  }, 180_000)

  test('a node that was killed is passed over', async () => {
    await nodes[1].kill()
    for (let count = 0; count < 20; count += 1) expect((await fetch(`${front.listUrl}/servers/info`)).status).toBe(200)
    await nodes[1].start()
  }, 60_000)

  test('without its database the list is still served, and a change is rejected with Retry-After', async () => {
    const cookie = await cluster.signIn(front.panelUrl, { id: '2', username: 'reader' })
    const before = (await listOf(front)).rows.length
    for (const node of nodes) node.databaseProxy.cut()
    await expect
      .poll(async () => (await Promise.all(nodes.map(async (node) => (await fetch(`${node.listUrl}/readyz`)).status))).join(' '), {
        timeout: 15_000,
      })
      .toBe('503 503')
    for (let count = 0; count < 10; count += 1) expect((await listOf(front)).rows).toHaveLength(before)
    const refused = () => call(front.panelUrl, cookie, 'POST /api/users/tokens', { name: 'Not now' })
    expect(Number((await refused()).headers.get('retry-after'))).toBeGreaterThan(0)
    // Also where the other node is not there at all.
    await nodes[1].kill()
    // Until the proxy's look at it has found that out, calls may still go there.
    const four = async () => {
      const answers = []
      for (let count = 0; count < 4; count += 1) answers.push(await refused())
      return answers.map(({ status, headers }) => [status, Number(headers.get('retry-after')) > 0])
    }
    await expect.poll(four, { timeout: 20_000 }).toEqual(Array.from({ length: 4 }, () => [503, true]))
    for (const node of nodes) node.databaseProxy.restore()
    await expect.poll(async () => (await fetch(`${front.panelUrl}/readyz`)).status, { timeout: 30_000 }).toBe(200)
  }, 90_000)
})
