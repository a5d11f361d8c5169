/** A reachability check on a list of the test's servers, and listeners that it probes. */
import { hash } from 'node:crypto'
import { type Server, type Socket, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished } from 'vitest'
import type { Finding } from '#backend/core/protection/finding.ts'
import { AskScheduler } from '#backend/services/probing/ask-scheduler.ts'
import { NetworkWatch } from '#backend/services/probing/network-watch.ts'
import { type CheckedServer, ReachabilityCheck } from '#backend/services/probing/reachability.ts'
import { localBus } from '#backend/platform/cluster/bus.ts'
import { type Env, readEnv } from '#backend/platform/env.ts'
import { createLog } from '#backend/platform/log.ts'
import type { TestApp } from './harness.ts'
import { HEALTHY } from './healthy-database.ts'

/** Until the first probe of a server that came online. */
export const FIRST_MS = 11_000
export const RETRY_MS = 67_000
export const ROUND_MS = 661_000
const TICK_MS = 20
export const CREDENTIAL = 'mst_AbCd123_0123456789abcdefghijklmnopqrstuvwxyz'

export interface Peer {
  readonly port: number
  /** The first bytes of each connection. */
  readonly requests: string[]
  /** Open connections. */
  readonly open: Set<Socket>
  answer: (socket: Socket, request: string) => void
  readonly close: () => Promise<void>
}

export async function listen(answer: Peer['answer'] = echo, host = '127.0.0.1'): Promise<Peer> {
  const requests: string[] = []
  const open = new Set<Socket>()
  const server: Server = createServer((socket) => {
    open.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => open.delete(socket))
    socket.once('data', (data) => {
      const request = String(data)
      // From a client of the process that used this port before.
      if (tokenIn(request) === '') return socket.destroy()
      requests.push(request)
      return peer.answer(socket, request)
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, host, resolve)
  })
  const { port } = server.address() as { port: number }
  const close = async () => {
    for (const socket of open) socket.destroy()
    await new Promise((resolve) => {
      server.close(resolve)
    })
  }
  onTestFinished(close)
  const peer: Peer = { port, requests, open, answer, close }
  return peer
}

export const tokenIn = (request: string) => /^GET \/\.well-known\/muster\/(\S+) HTTP\/1\.1\r\n/.exec(request)?.[1] ?? ''
export const reply = (socket: Socket, status: string, body: string, headers = '') =>
  socket.end(`HTTP/1.1 ${status}\r\ncontent-length: ${body.length}\r\n${headers}\r\n${body}`)
export const echo: Peer['answer'] = (socket, request) => reply(socket, '200 OK', tokenIn(request))

interface Check {
  readonly reported: Finding[]
  readonly resolved: string[]
  readonly service: ReachabilityCheck
  readonly servers: Map<string, CheckedServer>
  /** A server announces. */
  readonly announce: (publicId: string, port: number, overrides?: Partial<CheckedServer>) => void
  readonly leave: (publicId: string) => void
  /** Whether the check subscribed to changes of player counts. */
  readonly wantsCounts: () => boolean
}

/** Starts a check on a list with the servers of the test. */
export async function startCheck(
  app: Pick<TestApp, 'db' | 'clock'>,
  variables: Record<string, string> = {},
  settings: Partial<Env> = {},
): Promise<Check> {
  const reported: Finding[] = []
  const resolved: string[] = []
  const servers = new Map<string, CheckedServer>()
  let notify: (changes: readonly { publicId: string }[]) => void = () => {}
  let wantsCounts = (): boolean => expect.unreachable('The check has not subscribed.')
  const env = { ...readEnv({ REACHABILITY: 'warn', REACHABILITY_PRIVATE: 'on', ...variables }), ...settings }
  const deps = {
    env,
    db: app.db,
    databaseHealth: HEALTHY,
    clock: app.clock,
    log: createLog('silent'),
    bus: localBus('test'),
    fetchPublic: () => Promise.reject(new Error('unused')),
    postPublic: () => Promise.reject(new Error('unused')),
    resolveName: () => Promise.reject(new Error('unused')),
    connection: {},
  }
  const list = {
    registry: { get: (publicId: string) => servers.get(publicId), all: () => servers.values() },
    onChange(listener: typeof notify, wants: typeof wantsCounts) {
      notify = listener
      wantsCounts = wants
      return () => {
        notify = () => {}
      }
    },
  }
  const findings = {
    report: (finding: Finding) => void reported.push(finding),
    resolve: (_kind: string, publicId: string) => void resolved.push(publicId),
  }
  const scheduler = new AskScheduler(deps.clock)
  const parts = { deps, list, findings, scheduler, network: new NetworkWatch(deps.log), saveProof: () => {} }
  const service = new ReachabilityCheck({ ...parts, isLeaseHolder: () => true, tickMs: TICK_MS })
  await service.start()
  onTestFinished(async () => {
    await service.close()
    await scheduler.close()
  })
  const key = hash('sha256', CREDENTIAL)
  return {
    reported,
    resolved,
    service,
    servers,
    wantsCounts: () => wantsCounts(),
    announce(publicId, port, overrides = {}) {
      const credentials = [{ id: 'c', key }]
      const defaults = {
        online: true,
        address: '127.0.0.1',
        announced: { port, host: '', probe: '' as const },
        fields: { ownerId: 'o' },
        credentialId: 'c',
        credentials,
      }
      servers.set(publicId, { publicId, ...defaults, ...overrides })
      notify([{ publicId }])
    },
    leave(publicId) {
      const server = servers.get(publicId)
      if (server !== undefined) servers.set(publicId, { ...server, online: false })
      notify([{ publicId }])
    },
  }
}

/** Advances the clock and waits until the expected connections have opened and closed. */
export async function advance({ clock }: Pick<TestApp, 'clock'>, ms: number, peer: Peer, times = 1): Promise<void> {
  const before = peer.requests.length
  clock.advance(ms)
  await expect.poll(() => peer.requests.length, { interval: 20 }).toBe(before + times)
  await expect.poll(() => peer.open.size, { interval: 20 }).toBe(0)
  await settle()
}

/** Sleeps in short steps, so that pending I/O and ticks run in between, even on a busy machine. */
export async function settle(pieces = 6): Promise<void> {
  for (let piece = 0; piece < pieces; piece += 1) await sleep(10)
}

/** Waits long enough for several ticks and for immediate replies. */
export const severalTicks = () => settle(25)
