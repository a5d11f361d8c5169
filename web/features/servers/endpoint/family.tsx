import type { BoundAddress } from '#contract/servers/servers.ts'
import { m } from '#messages'
import { RichText } from '#web/ui/rich-text.tsx'

/** IPv4 or IPv6. */
export const familyName = (address: string) => m.servers_address_family({ version: address.includes(':') ? '6' : '4' })

/** An IPv6 address is bound with its network. */
export function BoundText({ bound: { family, address } }: { bound: Pick<BoundAddress, 'family' | 'address'> }) {
  const text = <span className="font-mono break-all">{address}</span>
  return family === 'ipv6' ? <RichText message={m.servers_address_subnet} tags={{ address: () => text }} /> : text
}
