/** Masks other people's IP addresses: owners can tell two addresses apart, but cannot identify anyone. */
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { EvidenceItem } from '#contract/protection.ts'

/** Possible addresses in a text; `isIP` decides. An IPv6 address with an embedded IPv4 address is one match. */
const CANDIDATE = /(?:[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){1,6}:)?\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,7}/gi

/** Addresses that stay unmasked, in the database's notation. */
export type OwnAddresses = ReadonlySet<string>
export const NO_ADDRESSES: OwnAddresses = new Set()

/** `203.0.113.•`, or the first three groups of an IPv6 address. */
export function maskAddress(address: string, own: OwnAddresses = NO_ADDRESSES): string {
  if (!ipaddr.isValid(address)) return own.has(address) ? address : '•'
  const parsed = ipaddr.process(address)
  if (own.has(address) || own.has(parsed.toString())) return address
  if (parsed.kind() === 'ipv4') return `${parsed.toString().split('.').slice(0, 3).join('.')}.•`
  const groups = (parsed as ipaddr.IPv6).parts.slice(0, 3).map((part) => part.toString(16))
  return `${groups.join(':')}:•`
}

export function maskAddressesIn(text: string, own?: OwnAddresses): string {
  return text.replaceAll(CANDIDATE, (match) => (isIP(match) === 0 ? match : maskAddress(match, own)))
}

export function maskEvidence(items: readonly EvidenceItem[], own?: OwnAddresses): EvidenceItem[] {
  return items.map(({ at, observed, expected, address }) => ({
    at,
    observed: maskAddressesIn(observed, own),
    expected: maskAddressesIn(expected, own),
    address: address === null ? null : maskAddress(address, own),
  }))
}
