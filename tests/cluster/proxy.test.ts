/** Caddy and nginx with the shipped configurations in front of two real programs. A proxy that is not installed is skipped. */
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
import { NGINX, checkConfiguration, nginx } from './nginx.ts'
import { call } from './panel-call.ts'
import { restartAllUnderLoad } from './rolling-restart.ts'
import { SIZE } from './size.ts'

if ((CADDY === undefined || NGINX === undefined) && process.env.MUSTER_CLUSTER_PROXY === 'required')
  throw new Error('This test needs Caddy and nginx. Install them (apt-get install caddy nginx-light), or set MUSTER_CADDY.')

/** Those that are installed. */
const PROXIES = (['Caddy', 'nginx'] as const).filter((name) => (name === 'Caddy' ? CADDY : NGINX) !== undefined)

let cluster: Cluster
let nodes: readonly [ClusterNode, ClusterNode]
let proxies: Partial<Record<'Caddy' | 'nginx', LoadBalancer>>
/** Caddy. */
let loadBalancer: LoadBalancer
let servers: FleetServer[]
/** One for each proxy, which do not announce with the others. */
let further: FleetServer[]

/** The content type and the first bytes of an open stream. */
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

/** A fake node that is ready and handles other calls as the test defines. */
async function startFakeNode(handler: RequestListener) {
  const server = createServer((incoming, outgoing) => {
    if (/^\/(?:ready|health)z$/.test(incoming.url ?? '')) outgoing.end()
    else handler(incoming, outgoing)
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
  'a GET or HEAD that a dying node did not answer is retried on another node; a POST or DELETE is not',
  async () => {
    const swallowed: string[] = []
    const handled: string[] = []
    const broken: unknown[] = []
    const dying = await startFakeNode((incoming) => {
      incoming.resume().on('end', () => {
        swallowed.push(incoming.method ?? '')
        incoming.socket.destroy()
      })
    })
    const healthy = await startFakeNode((incoming, outgoing) => {
      incoming.on('error', (error) => broken.push(error))
      incoming.resume().on('end', () => {
        handled.push(incoming.method ?? '')
        outgoing.end()
      })
    })
    const folder = await mkdtemp(join(tmpdir(), 'muster-proxy-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const { listUrl } = await caddy(CADDY ?? '', [dying, healthy], folder)
    const statusOf = async (method: string) =>
      (await fetch(`${listUrl}/announce`, { method, ...(method === 'POST' && { body: 'x'.repeat(300) }) })).status
    for (const method of ['GET', 'HEAD', 'POST', 'DELETE']) {
      const repeats = method === 'GET' || method === 'HEAD'
      // A failed node is skipped for two seconds, so reaching it may take several calls.
      const statuses: number[] = []
      await expect
        .poll(
          async () => {
            statuses.push(await statusOf(method))
            return swallowed.includes(method)
          },
          { timeout: 60_000, interval: 100 },
        )
        .toBe(true)
      statuses.push(await statusOf(method))
      expect([method, [...new Set(statuses)].toSorted()]).toEqual([method, repeats ? [200] : [200, 502]])
      const count = (all: readonly string[]) => all.filter((one) => one === method).length
      expect(count(handled)).toBe(statuses.filter((status) => status === 200).length)
    }
    expect(broken).toEqual([])
  },
  60_000,
)

describe.skipIf(PROXIES.length === 0)('behind a proxy', () => {
  beforeAll(async () => {
    cluster = await startCluster(2, {
      TRUSTED_PROXIES: '127.0.0.1',
      DRAIN_SECONDS: '3',
    })
    nodes = cluster.nodes as unknown as typeof nodes
    servers = await registerServers(cluster.db, SIZE.servers + PROXIES.length)
    further = servers.splice(SIZE.servers)
    proxies = {
      ...(CADDY !== undefined && { Caddy: await caddy(CADDY, nodes, cluster.folder) }),
      ...(NGINX !== undefined && { nginx: await nginx(NGINX, nodes, cluster.folder) }),
    }
    loadBalancer = proxies.Caddy ?? { panelUrl: '', listUrl: '', detectsWithinMs: 0 }
  }, 300_000)

  const through = (name: 'Caddy' | 'nginx'): LoadBalancer => {
    const proxy = proxies[name]
    if (proxy === undefined) throw new Error(`${name} is not installed.`)
    return proxy
  }

  test.each(PROXIES)('%s: a client cannot forge its address, and two addresses are distinguished', async (name) => {
    const { credential } = further[PROXIES.indexOf(name)] as FleetServer
    const announceFrom = (from: string) =>
      send(`${through(name).listUrl}/announce`, {
        method: 'POST',
        from,
        headers: { 'content-type': 'application/json', authorization: `Bearer ${credential}`, 'x-forwarded-for': '127.0.0.5' },
        body: JSON.stringify({ port: 7788, playersCount: 1, maxPlayersCount: 8, passworded: false, version: '1', branch: 'release' }),
      })
    expect((await announceFrom('127.0.0.5')).status).toBe(200)
    expect((await announceFrom('127.0.0.6')).status).toBe(409)
    expect((await announceFrom('127.0.0.5')).status).toBe(200)
  })

  test.skipIf(CADDY === undefined)('the list is compressed with brotli, and an unchanged list returns 304', async () => {
    await new Fleet(servers, [loadBalancer.listUrl]).announceAll()
    await expect.poll(async () => (await listOf(loadBalancer)).rows.length).toBeGreaterThanOrEqual(servers.length)
    const zipped = await send(`${loadBalancer.listUrl}/servers`, { headers: { 'accept-encoding': 'br' } })
    expect([zipped.status, zipped.headers['content-encoding']]).toEqual([200, 'br'])
    await expect
      .poll(
        async () =>
          (await send(`${loadBalancer.listUrl}/servers`, { headers: { 'if-none-match': (await listOf(loadBalancer)).etag } })).status,
      )
      .toBe(304)
  })

  test.each(PROXIES)('%s: the event streams of the panel and of the list deliver data while open', async (name) => {
    const { panelUrl, listUrl } = through(name)
    const cookie = await cluster.signIn(panelUrl, { id: '2', username: 'reader' })
    expect(await firstOf(`${panelUrl}/api/users/tokens/events`, { cookie })).toMatch(/^text\/event-stream/)
    const changed = firstOf(`${listUrl}/servers/stream`, {})
    await new Fleet(servers, [listUrl]).announceAll()
    expect(await changed).toMatch(/^text\/event-stream/)
  })

  test.each(PROXIES)('%s: the metrics of the nodes return 404', async (name) => {
    expect((await fetch(`${through(name).panelUrl}/metrics`)).status).toBe(404)
    expect((await fetch(`${through(name).listUrl}/metrics`)).status).toBe(404)
  })

  test.skipIf(NGINX === undefined)('nginx accepts the shipped configuration', () => {
    expect(() => checkConfiguration(NGINX ?? '', cluster.folder)).not.toThrow()
  })

  test.skipIf(CADDY === undefined)(
    'a rolling restart fails no request and loses no acknowledged announce and no change on the stream',
    async () => {
      expect(await restartAllUnderLoad(cluster, loadBalancer, servers)).toEqual([])
    },
    300_000,
  )

  test('calls succeed while one node is down', async () => {
    await nodes[1].kill()
    for (const name of PROXIES)
      for (let count = 0; count < 20; count += 1) expect((await fetch(`${through(name).listUrl}/servers/info`)).status, name).toBe(200)
    await nodes[1].start()
  }, 300_000)

  test.skipIf(CADDY === undefined)(
    'without the database the list is served and a change is rejected with Retry-After, also with one node down',
    async () => {
      const cookie = await cluster.signIn(loadBalancer.panelUrl, { id: '2', username: 'reader' })
      const before = (await listOf(loadBalancer)).rows.length
      for (const node of nodes) node.databaseProxy.cut()
      await expect
        .poll(async () => (await Promise.all(nodes.map(async (node) => (await fetch(`${node.listUrl}/readyz`)).status))).join(' '), {
          timeout: 60_000,
        })
        .toBe('503 503')
      for (let count = 0; count < 10; count += 1) expect((await listOf(loadBalancer)).rows).toHaveLength(before)
      const tryCreate = () => call(loadBalancer.panelUrl, cookie, 'POST /api/users/tokens', { name: 'Not now' })
      expect(Number((await tryCreate()).headers.get('retry-after'))).toBeGreaterThan(0)
      // The same with one node down.
      await nodes[1].kill()
      // Calls may reach the killed node until the proxy detects it.
      const fourCalls = async () => {
        const responses = []
        for (let count = 0; count < 4; count += 1) responses.push(await tryCreate())
        return responses.map(({ status, headers }) => [status, Number(headers.get('retry-after')) > 0])
      }
      await expect.poll(fourCalls, { timeout: 20_000 }).toEqual(Array.from({ length: 4 }, () => [503, true]))
      for (const node of nodes) node.databaseProxy.restore()
      await expect.poll(async () => (await fetch(`${loadBalancer.panelUrl}/readyz`)).status, { timeout: 30_000 }).toBe(200)
    },
    300_000,
  )
})
