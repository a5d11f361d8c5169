/** Client addresses: the socket's, or behind TRUSTED_PROXIES the one in X-Forwarded-For (from the right, skipping trusted hops only). */
import type { FastifyRequest, FastifyServerOptions } from 'fastify'
import ipaddr from 'ipaddr.js'
import type { Env } from '#backend/platform/env.ts'

export function trustProxyOf(env: Pick<Env, 'TRUSTED_PROXIES'>): NonNullable<FastifyServerOptions['trustProxy']> {
  return env.TRUSTED_PROXIES.length === 0 ? false : [...env.TRUSTED_PROXIES]
}

/** Makes equal addresses equal texts: IPv4-mapped IPv6 becomes IPv4, zones are removed. Other texts stay unchanged. */
export function normalizeAddress(text: string): string {
  const bare = text.split('%', 1)[0] ?? text
  return ipaddr.isValid(bare) ? ipaddr.process(bare).toString() : text
}

export function clientAddress(request: FastifyRequest): string {
  return normalizeAddress(request.ip)
}

/** The key for limits per address: an IPv4 address, or the /64 of an IPv6 address, which one customer has. */
export function limitKey(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  return parsed.kind() === 'ipv4' ? parsed.toString() : parsed.toNormalizedString().split(':').slice(0, 4).join(':')
}
