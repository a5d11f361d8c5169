/** Masks an IP address: its owner recognizes it, and others cannot identify anyone by it. */
import ipaddr from 'ipaddr.js'

/** Addresses that stay unmasked, in the database's notation. */
export type OwnAddresses = ReadonlySet<string>
const NO_ADDRESSES: OwnAddresses = new Set()

/** `203.0.113.•`, or the first three groups of an IPv6 address. */
export function maskAddress(address: string, own: OwnAddresses = NO_ADDRESSES): string {
  if (!ipaddr.isValid(address)) return own.has(address) ? address : '•'
  const parsed = ipaddr.process(address)
  if (own.has(address) || own.has(parsed.toString())) return address
  if (parsed.kind() === 'ipv4') return `${parsed.toString().split('.').slice(0, 3).join('.')}.•`
  const groups = (parsed as ipaddr.IPv6).parts.slice(0, 3).map((part) => part.toString(16))
  return `${groups.join(':')}:•`
}
