/** The load balancer of the nodes: a round robin that checks readiness, or Caddy with the deployed configuration. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { Agent, type IncomingMessage, type Server, type ServerResponse, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pipeline } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort, until } from '#tests/program.ts'
import { closeAfterTest } from '#tests/running.ts'
import type { ClusterNode } from './cluster.ts'

export interface LoadBalancer {
  readonly panelUrl: string
  readonly listUrl: string
  /** After this time it has detected that a node is ready again. */
  readonly detectsWithinMs: number
}

const PROBE_INTERVAL_MS = 100

/** Sends calls to the ready nodes in turn. Retries reads, announces and undelivered calls on another node. */
export async function roundRobin(nodes: readonly ClusterNode[]): Promise<LoadBalancer> {
  return {
    panelUrl: await startListener(nodes.map((node) => node.panelUrl)),
    listUrl: await startListener(nodes.map((node) => node.listUrl)),
    detectsWithinMs: PROBE_INTERVAL_MS * 5,
  }
}

async function startListener(urls: readonly string[]): Promise<string> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const ready = new Set(urls)
  let turn = 0
  let isOver = false
  const probe = async (url: string) => {
    const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(1000) }).catch(() => undefined)
    if (response?.status === 200) ready.add(url)
    else ready.delete(url)
  }
  const probing = (async () => {
    while (!isOver) {
      await Promise.all(urls.map(probe))
      await sleep(PROBE_INTERVAL_MS)
    }
  })()
  const next = () => {
    const candidates = ready.size > 0 ? [...ready] : urls
    return candidates[(turn += 1) % candidates.length] ?? ''
  }
  const server = createServer((incoming, outgoing) => {
    forward(incoming, outgoing, agent, next).catch(() => outgoing.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closeAfterTest(async () => {
    isOver = true
    await probing
    await closeServer(server)
    agent.destroy()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise<void>((resolve) => {
    server.close(() => resolve())
  })
}

async function forward(incoming: IncomingMessage, outgoing: ServerResponse, agent: Agent, next: () => string): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks)
  const isRetryable = incoming.method === 'GET' || incoming.method === 'HEAD' || incoming.url === '/announce'
  for (let tries = 3; ; tries -= 1) {
    const response = await sendTo(next(), incoming, body, agent).catch((error: unknown) => error as NodeJS.ErrnoException)
    if (!(response instanceof Error)) {
      outgoing.writeHead(response.statusCode ?? 502, response.headers)
      // Passes a broken response on as broken.
      pipeline(response, outgoing, () => undefined)
      return
    }
    if (tries > 0 && (isRetryable || response.code === 'ECONNREFUSED')) continue
    outgoing.writeHead(502, { 'content-type': 'text/plain' }).end(`${response.message}\n`)
    return
  }
}

function sendTo(to: string, { method, url, headers }: IncomingMessage, body: Buffer, agent: Agent): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = request(`${to}${url}`, { method, headers, agent }, resolve)
    sent.on('error', reject)
    sent.end(body)
  })
}

interface Caddy extends LoadBalancer {
  /** Stops its process, as `docker compose pause` does: the system still accepts connections. */
  freeze(): void
  thaw(): void
}

/** `caddy`, or the program in MUSTER_CADDY; undefined if it is missing. */
export const CADDY = [process.env.MUSTER_CADDY ?? 'caddy'].find((program) => spawnSync(program, ['version']).status === 0)

/** The proxy of compose.yaml in front of these nodes, without TLS. */
export async function caddy(program: string, nodes: readonly Pick<ClusterNode, 'panelUrl' | 'listUrl'>[], folder: string): Promise<Caddy> {
  const [panelUrl, listUrl] = [`http://127.0.0.1:${await freePort()}`, `http://127.0.0.1:${await freePort()}`]
  const hostOf = (url: string) => new URL(url).host
  const config = join(import.meta.dirname, '../../deploy/Caddyfile')
  const child: ChildProcess = spawn(program, ['run', '--config', config, '--adapter', 'caddyfile'], {
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      XDG_DATA_HOME: folder,
      XDG_CONFIG_HOME: folder,
      CADDY_ADMIN: 'off',
      PANEL_SITE: panelUrl,
      LIST_SITE: listUrl,
      PANEL_NODES: nodes.map((node) => hostOf(node.panelUrl)).join(' '),
      LIST_NODES: nodes.map((node) => hostOf(node.listUrl)).join(' '),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  closeAfterTest(async () => {
    child.kill('SIGCONT')
    child.kill('SIGTERM')
    if (child.exitCode === null) await once(child, 'exit')
  })
  let output = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`Caddy exited: ${output}`)
    return (await fetch(`${panelUrl}/healthz`).catch(() => undefined))?.status === 200
  })
  return { panelUrl, listUrl, detectsWithinMs: 2000, freeze: () => child.kill('SIGSTOP'), thaw: () => child.kill('SIGCONT') }
}
