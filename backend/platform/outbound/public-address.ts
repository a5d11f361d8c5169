/** Which addresses are public: for URLs that users enter, the backend connects to no others. */
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6

/**
 * Everything in IANA's IPv4 and IPv6 Special-Purpose Address Registries (RFC 6890 and later) that is not global unicast, multicast, class E,
 * Synapse's DEFAULT_IP_RANGE_BLOCKLIST, and more. Some ranges contain others, so that the list can be compared with its sources.
 */
const NOT_GLOBAL = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // shared by a carrier's customers
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // Azure's own services, the same address in every machine there
  '169.254.0.0/16', // link-local, with the clouds' metadata services
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // AMT
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
  '::/96', // unspecified, loopback, IPv4-compatible
  '::ffff:0:0:0/96', // IPv4-translated
  '64:ff9b:1::/48', // a network's own NAT64, where only that network knows the position of the IPv4 address
  '100::/64', // discard
  '100:0:0:1::/64', // dummy
  '2001::/23', // protocol assignments: Teredo, benchmarks, ORCHID
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4: an IPv4 address behind whatever relay answers
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // documentation
  '5f00::/16', // segment routing
  'fc00::/7', // unique local
  'fe80::/10', // link-local
  'fec0::/10', // site-local
  'ff00::/8', // multicast
].map((network) => ipaddr.parseCIDR(network))

/** All global unicast IPv6 that IANA assigns. */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3')
/** How an IPv6-only network reaches IPv4: its resolver returns these addresses for hosts without IPv6. */
const NAT64 = ipaddr.parseCIDR('64:ff9b::/96')
const MAPPED_IPV4 = ipaddr.parseCIDR('::ffff:0:0/96')

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
  if (NOT_GLOBAL.some((network) => isIn(address, network))) return false
  // The library has its own list: an address on either list is rejected.
  return address.range() === 'unicast' && (address.kind() === 'ipv4' || isIn(address, GLOBAL_IPV6))
}

function effectiveAddress(address: Address): Address {
  if (!isIn(address, MAPPED_IPV4) && !isIn(address, NAT64)) return address
  return new ipaddr.IPv4(address.toByteArray().slice(-4))
}

function isIn(address: Address, [network, bits]: [Address, number]): boolean {
  return address.kind() === network.kind() && address.match(network, bits)
}
