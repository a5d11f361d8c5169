/** The connections of a listener: limit per address, keep-alive, and shutdown. */
import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { KeyedConcurrencyLimit } from '#backend/platform/concurrency/keyed-concurrency-limit.ts'
import type { Env } from '#backend/platform/env.ts'
import type { Log } from '#backend/platform/log.ts'
import { limitKey } from './client-address.ts'

const KEEP_ALIVE_MS = 15_000
/** Longer than common proxies keep theirs, so that no proxy sends a request into a connection that is closing. */
const KEEP_ALIVE_BEHIND_PROXY_MS = 72_000

/** Interval of checks for slow connections. At 2 s, 3,000 of them multiply the p99 of other requests. */
export const CONNECTION_CHECK_MS = 500
/** Milliseconds, for a listener with small requests: a client that takes longer for headers or a request is broken or hostile. */
export const SMALL_REQUEST_TIMEOUTS = { headersTimeout: 5000, requestTimeout: 10_000, connectionsCheckingInterval: CONNECTION_CHECK_MS }

/** Shutdown may take 20 seconds: this long for requests in flight, and for everything in flight. The rest is for saving. */
const REQUESTS_TIMEOUT_MS = 5000
const SHUTDOWN_TIMEOUT_MS = 8000

const isProxied = ({ TRUSTED_PROXIES }: Pick<Env, 'TRUSTED_PROXIES'>) => TRUSTED_PROXIES.length > 0

export function keepAliveOf(env: Pick<Env, 'TRUSTED_PROXIES'>): number {
  return isProxied(env) ? KEEP_ALIVE_BEHIND_PROXY_MS : KEEP_ALIVE_MS
}

const direct = new WeakSet<Socket>()

/**
 * Whether a 429 may close the connection. A proxy's connection carries many clients' requests. A client that still sends its body would
 * get a reset instead of the reply.
 */
export function mayClose({ socket, headers, complete }: IncomingMessage): boolean {
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
  return direct.has(socket) && (complete || !hasBody)
}

/** Drops a new connection if its address (IPv6: its /64) already has `MAX_CONNECTIONS_PER_ADDRESS` open. A reply would cost more. */
export function limitConnections(server: Server, env: Pick<Env, 'TRUSTED_PROXIES' | 'RATE_LIMITS' | 'MAX_CONNECTIONS_PER_ADDRESS'>): void {
  if (isProxied(env)) return
  const max = env.RATE_LIMITS ? env.MAX_CONNECTIONS_PER_ADDRESS : Infinity
  const open = new KeyedConcurrencyLimit(max)
  server.on('connection', (socket) => {
    const release = open.acquire(limitKey(socket.remoteAddress ?? ''))
    if (release === undefined) {
      socket.destroy()
      return
    }
    direct.add(socket)
    socket.once('close', release)
  })
}

/** Drops unused connections on shutdown: browsers open some in advance, and Node would wait for them. */
export function endUnusedConnections(app: FastifyInstance): void {
  const open = new Set<Socket>()
  app.server.on('connection', (socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  app.addHook('preClose', (done) => {
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
    done()
  })
}

/** Closes the listeners and waits for them and `others`, up to a timeout. Returns the errors. */
export async function closeListeners(log: Log, listeners: readonly FastifyInstance[], others: readonly unknown[]): Promise<unknown[]> {
  const closing = Promise.allSettled([...listeners.map(closeInTime), ...others])
  const results = await Promise.race([closing, sleep(SHUTDOWN_TIMEOUT_MS, undefined, { ref: false })])
  if (results === undefined) log.warn({ timeout_ms: SHUTDOWN_TIMEOUT_MS }, 'work in flight did not end in time, exiting without it')
  return (results ?? []).flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []))
}

/** Drops clients that are slow to send or to read: Node applies no timeouts to them while it closes. */
async function closeInTime(listener: FastifyInstance): Promise<void> {
  const cutOff = setTimeout(() => listener.server.closeAllConnections(), REQUESTS_TIMEOUT_MS)
  try {
    await listener.close()
  } finally {
    clearTimeout(cutOff)
  }
}
