/** Where a request on the master list comes from: the socket, unless TRUSTED_PROXIES names the proxy in front. */
import type { IncomingMessage } from 'node:http'
import proxyAddress from '@fastify/proxy-addr'
import { normaliseAddress } from '#backend/http/client-address.ts'

/** @param trusted addresses or ranges of proxies whose X-Forwarded-For is believed. */
export function sourceAddressBy(trusted: readonly string[]): (request: IncomingMessage) => string {
  if (trusted.length === 0) return (request) => normal(request.socket.remoteAddress ?? '')
  const isTrusted = proxyAddress.compile([...trusted])
  return (request) => normal(proxyAddress(request, isTrusted))
}

const MAPPED = '::ffff:'

/** IPv4, in IPv6 clothing or not, needs no parser: it is what nearly everybody comes with. */
function normal(address: string): string {
  if (!address.includes(':')) return address
  if (address.startsWith(MAPPED) && address.includes('.')) return address.slice(MAPPED.length)
  return normaliseAddress(address)
}
