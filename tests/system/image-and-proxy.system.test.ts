/** The image and the proxy of compose.yaml. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import fastify from 'fastify'
import { Registry } from 'prom-client'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readEnv } from '#backend/platform/env.ts'
import { serveHealth } from '#backend/platform/http/health.ts'
import {
  root,
  read,
  mapOf,
  textsOf,
  service,
  dockerfile,
  caddyfile,
  expanded,
  environmentOf,
  NODES,
  envOfNode,
  argumentsOf,
  PROXY,
} from './compose-file.ts'

describe('the image', () => {
  test('exposes the ports that a node listens on', () => {
    const exposed = /^EXPOSE (.+)$/m.exec(dockerfile)?.[1]?.split(' ').map(Number)
    for (const name of NODES) {
      const { PORT, MASTERLIST_PORT, HOST } = envOfNode(name)
      expect([exposed, HOST]).toEqual([[PORT, MASTERLIST_PORT], '::'])
    }
  })

  test('starts the program as npm start does', () => {
    const args = argumentsOf(/^CMD (\[.+\])$/m)
    const { scripts } = JSON.parse(read('package.json')) as { scripts: { start: string } }
    expect(scripts.start).toBe(`exec ${args.join(' ')} --npm=$PPID`)
    const copied = [...dockerfile.matchAll(/^COPY (?!--)(.+) \S+$/gm)].flatMap(([, from = '']) => from.split(' '))
    expect(copied.filter((path) => !existsSync(join(root, path)))).toEqual([])
    expect(copied).toContain(args.find((word) => word.endsWith('.ts'))?.split('/')[0])
  })

  test('checks health at an existing path, and fails on a 503 and without a response', async () => {
    const [node, ...args] = argumentsOf(/^HEALTHCHECK [^[]+CMD (\[.+\])$/m)
    expect(node).toBe('node')
    let status = 200
    const used: string[] = []
    const server = createServer((request, response) => {
      used.push(request.url ?? '')
      response.writeHead(status).end()
    }).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const exitOf = async () => {
      const child = spawn(process.execPath, args, { env: { PORT: String(port) }, stdio: 'ignore' })
      return ((await once(child, 'exit')) as [number])[0]
    }
    expect(await exitOf()).toBe(0)
    status = 503
    expect(await exitOf()).toBe(1)
    server.close()
    expect(await exitOf()).toBe(1)
    expect(await statusesOf(used)).toEqual([200, 200])
    // Without PORT it uses the default of the program.
    expect(args.at(-1)).toContain(`process.env.PORT ?? ${readEnv({}).PORT})`)
  })
})

/** The statuses of these health paths. */
async function statusesOf(paths: readonly string[]): Promise<number[]> {
  const app = fastify()
  serveHealth(app, { METRICS_TOKEN: undefined, isProduction: false }, new Registry(), async () => undefined)
  onTestFinished(() => app.close())
  return await Promise.all(paths.map(async (url) => (await app.inject({ url })).statusCode))
}

describe('the proxy', () => {
  test('forwards the panel and the list to the right port of every node', () => {
    const { PANEL_NODES, LIST_NODES } = environmentOf(PROXY)
    const { PORT, MASTERLIST_PORT } = envOfNode()
    expect(PANEL_NODES?.split(' ')).toEqual(NODES.map((name) => `${name}:${PORT}`))
    expect(LIST_NODES?.split(' ')).toEqual(NODES.map((name) => `${name}:${MASTERLIST_PORT}`))
    for (const [, upstream = ''] of read('deploy/sample.env').matchAll(/^#?PANEL_NODES=(.+)$/gm))
      expect(PANEL_NODES?.split(' ')).toContain(upstream)
    for (const name of Object.keys(mapOf(service(PROXY).depends_on))) expect(NODES).toContain(name)
  })

  test('gets exactly the variables of its Caddyfile, with the public URLs of the nodes', () => {
    const used = new Set([...caddyfile.matchAll(/\{\$(\w+)/g)].map(([, name = '']) => name))
    const environment = environmentOf(PROXY)
    // Its admin endpoint keeps the default.
    expect([...used].filter((name) => name !== 'CADDY_ADMIN').toSorted()).toEqual(Object.keys(environment).toSorted())
    const { PUBLIC_URL, MASTERLIST_PUBLIC_URL } = envOfNode()
    expect([environment.PANEL_SITE, environment.LIST_SITE]).toEqual([PUBLIC_URL, MASTERLIST_PUBLIC_URL])
    expect(textsOf(service(PROXY).ports).map((port) => expanded(port))).toEqual(['0.0.0.0:80:80', '0.0.0.0:443:443', '0.0.0.0:443:443/udp'])
  })

  test('has no other upstreams, and checks their health at existing paths', async () => {
    const upstreams = [...caddyfile.matchAll(/^\s*reverse_proxy (?:@\w+ )?(.+) \{$/gm)].map(([, to = '']) => to)
    expect(upstreams.length).toBeGreaterThan(0)
    expect(upstreams.filter((to) => !/^\{\$(?:PANEL|LIST)_NODES:[\d.: ]+\}$/.test(to))).toEqual([])
    const probes = [...caddyfile.matchAll(/health_uri (\S+)/g)].map(([, path = '']) => path)
    expect(probes.toSorted()).toEqual(['/healthz', '/readyz'])
    expect(await statusesOf(probes)).toEqual([200, 200])
  })

  test('returns 404 for /metrics and /metrics/ on both sites', async () => {
    const kept = /@private path (.+)\n\s*respond @private 404/.exec(caddyfile)?.[1]?.split(' ') ?? []
    expect(kept.toSorted()).toEqual(['/metrics', '/metrics/'])
    expect(await statusesOf(['/metrics'])).toEqual([200])
    const sites = [...caddyfile.matchAll(/^\{\$\w+_SITE:\S+\} \{\n\timport private\n/gm)]
    expect(sites).toHaveLength(2)
  })
})
