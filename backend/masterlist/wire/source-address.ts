/** Where a request on the master list comes from: the socket, unless TRUSTED_PROXIES names the proxy in front. */
import type { IncomingMessage } from 'node:http'
import { isIP, isIPv4 } from 'node:net'
import proxyAddress from '@fastify/proxy-addr'
import { normaliseAddress } from '#backend/platform/http/client-address.ts'

/** Where a request comes from; `''` where that is not to be had. */
export type SourceAddress = (request: IncomingMessage) => string

/**
 * Answers `''` where there is none to be had: the sender is gone already, or a proxy forwarded what is no address.
 * @param trusted addresses or ranges of proxies whose X-Forwarded-For is believed.
 */
export function sourceAddressBy(trusted: readonly string[]): SourceAddress {
  if (trusted.length === 0) return (request) => normalOnce(request.socket.remoteAddress ?? '')
  const isTrusted = proxyAddress.compile([...trusted])
  return (request) => normal(withoutPort(proxyAddress(request, isTrusted)))
}

/** Some gateways write `1.2.3.4:5678` or `[2001:db8::1]:5678` into X-Forwarded-For. */
function withoutPort(text: string): string {
  return /^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text)?.[1] ?? text
}

const MAPPED = '::ffff:'

/** Of senders whose address was normalised lately. Who comes with many begins it anew. */
const MOST_KNOWN = 10_000
const known = new Map<string, string>()

/** For sockets' own addresses, which stay the same for all their requests; what a proxy passes on is cut out of a longer text, which it would keep. */
function normalOnce(address: string): string {
  const before = known.get(address)
  if (before !== undefined) return before
  const made = normal(address)
  if (known.size >= MOST_KNOWN) known.clear()
  known.set(address, made)
  return made
}

/** IPv4, in IPv6 clothing or not, needs no parser: it is what nearly everybody comes with. */
function normal(address: string): string {
  const bare = address.startsWith(MAPPED) && address.includes('.') ? address.slice(MAPPED.length) : address
  if (isIPv4(bare)) return bare
  const normalised = normaliseAddress(address)
  return isIP(normalised) === 0 ? '' : normalised
}
