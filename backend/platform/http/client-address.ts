/** The address of a client: the socket's, or from TRUSTED_PROXIES the one in X-Forwarded-For (read from the right, past trusted hops only). */
import type { FastifyRequest, FastifyServerOptions } from 'fastify'
import ipaddr from 'ipaddr.js'
import type { Env } from '#backend/platform/env.ts'

export function trustProxyOf(env: Pick<Env, 'TRUSTED_PROXIES'>): NonNullable<FastifyServerOptions['trustProxy']> {
  return env.TRUSTED_PROXIES.length === 0 ? false : [...env.TRUSTED_PROXIES]
}

/** One spelling for each address: IPv4-mapped IPv6 becomes IPv4, zones go. Any other text stays as it is. */
export function normaliseAddress(text: string): string {
  const bare = text.split('%', 1)[0] ?? text
  return ipaddr.isValid(bare) ? ipaddr.process(bare).toString() : text
}

export function clientAddress(request: FastifyRequest): string {
  return normaliseAddress(request.ip)
}

/** Limits count by it: an IPv4 address, or the /64 that one IPv6 customer has. */
export function limitKey(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  return parsed.kind() === 'ipv4' ? parsed.toString() : parsed.toNormalizedString().split(':').slice(0, 4).join(':')
}
