/** Client addresses: the socket's, or behind TRUSTED_PROXIES the one in X-Forwarded-For (from the right, skipping trusted hops only). */
import type { IncomingMessage } from 'node:http'
import { isIPv4, isIPv6 } from 'node:net'
import proxyAddress from '@fastify/proxy-addr'
import type { FastifyRequest, FastifyServerOptions } from 'fastify'
import ipaddr from 'ipaddr.js'
import type { Env } from '#backend/platform/env.ts'

/**
 * An address as proxies write it into X-Forwarded-For: with a port, brackets, quotes or a zone, or none of these. Equal addresses become
 * equal texts: IPv4-mapped IPv6 becomes IPv4. Undefined for anything else.
 */
function parseAddress(text: string | undefined): string | undefined {
  if (text === undefined || isIPv4(text)) return text
  const unquoted = /^"(.*)"$/.exec(text)?.[1] ?? text
  const host = /^\[(.*)\](?::\d*)?$/.exec(unquoted)?.[1] ?? /^([\d.]+):\d*$/.exec(unquoted)?.[1] ?? unquoted
  const bare = host.split('%', 1)[0] ?? host
  return isIPv4(bare) || isIPv6(bare) ? ipaddr.process(bare).toString() : undefined
}

type Trust = (address: string, hop: number) => boolean

function trustOf(trusted: readonly string[]): Trust {
  const isTrusted = proxyAddress.compile([...trusted])
  return (address, hop) => isTrusted(parseAddress(address) ?? '', hop)
}

export function trustProxyOf({ TRUSTED_PROXIES: trusted }: Pick<Env, 'TRUSTED_PROXIES'>): NonNullable<FastifyServerOptions['trustProxy']> {
  return trusted.length === 0 ? false : trustOf(trusted)
}

/** @param hops from the socket's address to the first that isn't trusted. Junk there counts as the address of the proxy that sent it. */
const furthest = (hops: readonly (string | undefined)[]) => parseAddress(hops.at(-1)) ?? parseAddress(hops.at(-2)) ?? ''

export function clientAddress({ ip, ips }: FastifyRequest): string {
  return furthest(ips ?? [ip])
}

/** Returns `''` if unknown: the client is already gone. */
export type SourceAddress = (request: IncomingMessage) => string

/** `clientAddress` for requests that don't reach Fastify. @param trusted addresses or ranges of the proxies. */
export function sourceAddressBy(trusted: readonly string[]): SourceAddress {
  if (trusted.length === 0) return (request) => furthest([request.socket.remoteAddress])
  const trust = trustOf(trusted)
  return (request) => furthest(proxyAddress.all(request, trust))
}

export const FAMILIES = ['ipv4', 'ipv6'] as const
export type Family = (typeof FAMILIES)[number]

export const familyOf = (address: string): Family => (address.includes(':') ? 'ipv6' : 'ipv4')

/** Whether two addresses are one machine's as far as anyone can tell: the same IPv4 address, or the same IPv6 /64, in which hosts change theirs. */
export const isSameMachine = (one: string, other: string) =>
  one === other || (familyOf(one) === 'ipv6' && familyOf(other) === 'ipv6' && limitKey(one) === limitKey(other))

/** The key for limits per address: an IPv4 address, or the /64 of an IPv6 address, which one customer has. */
export function limitKey(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  return parsed.kind() === 'ipv4' ? parsed.toString() : parsed.toNormalizedString().split(':').slice(0, 4).join(':')
}
