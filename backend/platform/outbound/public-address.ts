/** Which addresses are public: for URLs that users enter, the backend connects to no others. */
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** Azure's own services, the same address in every machine there. The library knows all other special ranges of IANA's registries. */
const AZURE_SERVICES = '168.63.129.16'

/** All global unicast IPv6 that IANA assigns. */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3')
/** How an IPv6-only network reaches IPv4: its resolver returns these addresses for hosts without IPv6. */
const NAT64 = ipaddr.parseCIDR('64:ff9b::/96')
const MAPPED_IPV4 = ipaddr.parseCIDR('::ffff:0:0/96')

/** Networks behind a router or in a host, whose addresses mean nothing elsewhere: RFC 1918, shared (CGNAT), link-local, unique local, unspecified. */
const PRIVATE_RANGES: ReadonlySet<string> = new Set(['private', 'carrierGradeNat', 'linkLocal', 'uniqueLocal', 'unspecified'])

/** @param text an address, as `clientAddress` returns it. */
export function isPrivateNetwork(text: string): boolean {
  return ipaddr.isValid(text) && PRIVATE_RANGES.has(ipaddr.process(text).range())
}

/** Whether it is an address of one machine, perhaps a private one. @param text an address. */
export const isOfOneMachine = (text: string): boolean => !['multicast', 'broadcast', 'unspecified'].includes(ipaddr.process(text).range())

/** Names of this machine or its network, whatever a resolver returns (RFC 6761, 6762, 7686, 8375; ICANN's `internal`). */
const LOCAL_NAMES = /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|private|corp|home|lan|home\.arpa|onion)$/

/** @param hostname as the URL parser normalizes it, IPv6 in brackets. A public name may still resolve to any address. */
export function isPublicHost(hostname: string): boolean {
  const name = hostname.replaceAll(/^\[|\]$|\.+$/g, '')
  return isIP(name) === 0 ? name.includes('.') && !LOCAL_NAMES.test(name) : isPublicAddress(name)
}

/** @param text IPv6 without brackets. Anything other than an address, or one with a zone, is not public. */
export function isPublicAddress(text: string): boolean {
  if (isIP(text) === 0 || text.includes('%')) return false
  const address = effectiveAddress(ipaddr.parse(text))
  if (address.range() !== 'unicast' || address.toString() === AZURE_SERVICES) return false
  return address.kind() === 'ipv4' || isIn(address, GLOBAL_IPV6)
}

/** Of an IPv6 address that leads to IPv4, the IPv4 address; of all others, the address itself. So each place has one text. @param text an address. */
export const plainAddress = (text: string): string => effectiveAddress(ipaddr.parse(text)).toString()

function effectiveAddress(address: Address): Address {
  if (!isIn(address, MAPPED_IPV4) && !isIn(address, NAT64)) return address
  return new ipaddr.IPv4(address.toByteArray().slice(-4))
}

function isIn(address: Address, [network, bits]: [Address, number]): boolean {
  return address.kind() === network.kind() && address.match(network, bits)
}
