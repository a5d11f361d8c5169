/** What an owner is shown of other people's addresses: enough to tell two apart, too little to find anybody. */
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Whatever could be an address in a sentence; `isIP` decides. One that ends like an IPv4 address is one piece, before the part of it that is IPv6. */
const CANDIDATE = /(?:[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){1,6}:)?\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,7}/gi

/** `203.0.113.•`, or the first three groups of an IPv6 address; his own ones stay as they are. */
export function maskAddress(address: string, own: ReadonlySet<string>): string {
  if (own.has(address) || own.has(plain(address))) return address
  if (!ipaddr.isValid(address)) return '•'
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return `${parsed.toString().split('.').slice(0, 3).join('.')}.•`
  const groups = (parsed as ipaddr.IPv6).parts.slice(0, 3).map((part) => part.toString(16))
  return `${groups.join(':')}:•`
}

/** The same of every address in a text. */
export function maskText(text: string, own: ReadonlySet<string>): string {
  return text.replaceAll(CANDIDATE, (found) => (isIP(found) === 0 ? found : maskAddress(found, own)))
}

/** As the database writes it. */
const plain = (address: string) => (ipaddr.isValid(address) ? ipaddr.process(address).toString() : address)
