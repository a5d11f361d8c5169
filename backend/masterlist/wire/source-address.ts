/** The client address of a request to the master list. */
import type { IncomingMessage } from 'node:http'
import { isIP, isIPv4 } from 'node:net'
import proxyAddress from '@fastify/proxy-addr'
import { normalizeAddress } from '#backend/platform/http/client-address.ts'

/** Returns `''` if unknown: the client is already gone, or a proxy forwarded something else. */
export type SourceAddress = (request: IncomingMessage) => string

/** Returns the socket's address, or the one in X-Forwarded-For behind a proxy. @param trusted addresses or ranges of these proxies. */
export function sourceAddressBy(trusted: readonly string[]): SourceAddress {
  if (trusted.length === 0) return (request) => normalizeCached(request.socket.remoteAddress ?? '')
  const isTrusted = proxyAddress.compile([...trusted])
  return (request) => normalize(withoutPort(proxyAddress(request, isTrusted)))
}

/** Some gateways write `1.2.3.4:5678` or `[2001:db8::1]:5678` into X-Forwarded-For. */
function withoutPort(text: string): string {
  return /^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text)?.[1] ?? text
}

const MAPPED = '::ffff:'

/** The cache is cleared when full. */
const MAX_CACHED = 10_000
const addressCache = new Map<string, string>()

/** Caches only socket addresses: a forwarded address is a slice of a longer string, which a cache would retain. */
function normalizeCached(address: string): string {
  const cached = addressCache.get(address)
  if (cached !== undefined) return cached
  const result = normalize(address)
  if (addressCache.size >= MAX_CACHED) addressCache.clear()
  addressCache.set(address, result)
  return result
}

/** IPv4 (mapped to IPv6 or not), which nearly all clients have, needs no parser. */
function normalize(address: string): string {
  const bare = address.startsWith(MAPPED) && address.includes('.') ? address.slice(MAPPED.length) : address
  if (isIPv4(bare)) return bare
  const normalized = normalizeAddress(address)
  return isIP(normalized) === 0 ? '' : normalized
}
