/** Masks other people's IP addresses: owners can tell two addresses apart, but cannot identify anyone. */
import { isIP } from 'node:net'
import type { EvidenceItem } from '#contract/protection/protection.ts'
import { type OwnAddresses, maskAddress } from '#backend/platform/http/mask-address.ts'

/** Possible addresses in a text; `isIP` decides. An IPv6 address with an embedded IPv4 address is one match. */
const CANDIDATE = /(?:[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){1,6}:)?\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,7}/gi

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
