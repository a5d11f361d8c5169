/** The connections of a listener: how many an address may hold, how long they are kept, and how they end with the program. */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { KeyedConcurrencyLimit } from '#backend/platform/concurrency/keyed-concurrency-limit.ts'
import type { Env } from '#backend/platform/env.ts'
import type { Log } from '#backend/platform/log.ts'
import { limitKey } from './client-address.ts'

const KEEP_ALIVE_MS = 15_000
/** Longer than common proxies keep theirs, so that a proxy never sends a call into a connection that is just being closed. */
const KEEP_ALIVE_BEHIND_PROXY_MS = 72_000

/** Looks for slow connections so often: with 2 s and 3,000 slow ones others' p99 was 56 to 115 ms, with this 16 to 30 (`npm run bench -- slow`). */
export const CONNECTION_CHECK_MS = 500
/** Of a listener whose requests are small: a sender that takes longer (ms) to send headers, or a whole request, is broken or hostile. */
export const SMALL_REQUEST_TIMEOUTS = { headersTimeout: 5000, requestTimeout: 10_000, connectionsCheckingInterval: CONNECTION_CHECK_MS }

/** A stop may take 20 seconds: so long for calls under way, and for everything under way. The rest is for saving. */
const CALLS_END_WITHIN_MS = 5000
const ALL_END_WITHIN_MS = 8000

const isProxied = ({ TRUSTED_PROXIES }: Pick<Env, 'TRUSTED_PROXIES'>) => TRUSTED_PROXIES.length > 0

export function keepAliveOf(env: Pick<Env, 'TRUSTED_PROXIES'>): number {
  return isProxied(env) ? KEEP_ALIVE_BEHIND_PROXY_MS : KEEP_ALIVE_MS
}

const direct = new WeakSet<Socket>()

/** Whether a client opened it itself, so that a 429 closes it. One behind a trusted proxy carries the calls of many clients. */
export function isDirect(socket: Socket): boolean {
  return direct.has(socket)
}

/** Destroys a connection at once where its address (of IPv6 its /64) has `MAX_CONNECTIONS_PER_ADDRESS` open already. An answer would cost more. */
export function limitConnections(server: Server, env: Pick<Env, 'TRUSTED_PROXIES' | 'RATE_LIMITS' | 'MAX_CONNECTIONS_PER_ADDRESS'>): void {
  if (isProxied(env)) return
  const max = env.RATE_LIMITS ? env.MAX_CONNECTIONS_PER_ADDRESS : Infinity
  const open = new KeyedConcurrencyLimit(max)
  server.on('connection', (socket) => {
    const end = open.acquire(limitKey(socket.remoteAddress ?? ''))
    if (end === undefined) {
      socket.destroy()
      return
    }
    direct.add(socket)
    socket.once('close', end)
  })
}

/** Ends connections on which nothing was ever sent when the listener closes: browsers open some in advance, and node would wait for them. */
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

/** Closes the listeners. Resolves when they and the `others` have ended, or their time is over. Returns why something failed. */
export async function closeListeners(log: Log, listeners: readonly FastifyInstance[], others: readonly unknown[]): Promise<unknown[]> {
  const ending = Promise.allSettled([...listeners.map(closeInTime), ...others])
  const ended = await Promise.race([ending, sleep(ALL_END_WITHIN_MS, undefined, { ref: false })])
  if (ended === undefined) log.warn('Something that was under way has not ended in time; the program ends without it.')
  return (ended ?? []).flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []))
}

/** Cuts off clients that are slow to read an answer or to send a call: node looks after neither once it closes. */
async function closeInTime(listener: FastifyInstance): Promise<void> {
  const cutOff = setTimeout(() => listener.server.closeAllConnections(), CALLS_END_WITHIN_MS)
  try {
    await listener.close()
  } finally {
    clearTimeout(cutOff)
  }
}
