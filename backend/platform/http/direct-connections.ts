/**
 * Connections that clients open themselves, where `TRUSTED_PROXIES` is empty. Behind a trusted proxy one connection carries the calls of
 * many clients: it is kept longer, its number is the proxy's matter, and no client's 429 closes it.
 */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Env } from '#backend/platform/env.ts'
import { limitKey } from './client-address.ts'

const KEEP_ALIVE_MS = 15_000
/** A proxy's own are shorter, so it never sends a call into a connection that is just being closed. */
const KEEP_ALIVE_BEHIND_PROXY_MS = 72_000

const direct = new WeakSet<Socket>()

const isProxied = ({ TRUSTED_PROXIES }: Pick<Env, 'TRUSTED_PROXIES'>) => TRUSTED_PROXIES.length > 0

/** Milliseconds for which a connection is kept without a call. */
export function keepAliveOf(env: Pick<Env, 'TRUSTED_PROXIES'>): number {
  return isProxied(env) ? KEEP_ALIVE_BEHIND_PROXY_MS : KEEP_ALIVE_MS
}

/** Whether a 429 closes this connection. */
export function isDirect(socket: Socket): boolean {
  return direct.has(socket)
}

/** Destroys a connection at once where its address (of IPv6 its /64) has `MAX_CONNECTIONS_PER_ADDRESS` open already. An answer would cost more. */
export function limitConnections(server: Server, env: Pick<Env, 'TRUSTED_PROXIES' | 'RATE_LIMITS' | 'MAX_CONNECTIONS_PER_ADDRESS'>): void {
  if (isProxied(env)) return
  const max = env.RATE_LIMITS ? env.MAX_CONNECTIONS_PER_ADDRESS : Infinity
  const openOf = new Map<string, number>()
  server.on('connection', (socket) => {
    const address = limitKey(socket.remoteAddress ?? '')
    const open = openOf.get(address) ?? 0
    if (open >= max) {
      socket.destroy()
      return
    }
    direct.add(socket)
    openOf.set(address, open + 1)
    socket.once('close', () => {
      const rest = (openOf.get(address) ?? 1) - 1
      if (rest === 0) openOf.delete(address)
      else openOf.set(address, rest)
    })
  })
}
