/** Addresses as typed into a search: complete, with a port, or a prefix. */
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { sql } from 'kysely'
import type { Sql } from './paging.ts'

export interface AddressSearch {
  /** Any of these ranges, both ends included. */
  readonly ranges: readonly (readonly [first: string, last: string])[]
  /** What the address must start with as text; undefined if the ranges are exact. */
  readonly prefix: string | undefined
  readonly port: number | undefined
}

/** Undefined if the term is not an address. */
export function parseAddressSearch(term: string): AddressSearch | undefined {
  const text = term.toLowerCase()
  const withPort = /^(?:\[([0-9a-f:.]+)\]|([\d.]+))(?::(\d{1,5}))?$/.exec(text)
  const whole = withPort?.[1] ?? withPort?.[2] ?? text
  if (isIP(whole) !== 0 && !whole.includes('%')) {
    const port = withPort?.[3] === undefined ? undefined : Number(withPort[3])
    const address = mappedIpv4(whole) ?? whole
    return { ranges: [[address, address.endsWith('::') ? lastWithPrefix(address) : address]], prefix: undefined, port }
  }
  return ipv4Prefix(text) ?? ipv6Prefix(text)
}

/** The IPv4 address of an IPv4-mapped IPv6 address, because these are stored as IPv4. */
function mappedIpv4(address: string): string | undefined {
  const parsed = ipaddr.parse(address)
  return parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress() && !address.endsWith('::')
    ? parsed.toIPv4Address().toString()
    : undefined
}

/** A condition on a column that its index supports. */
export function matchesAddress(column: Sql, { ranges, prefix }: AddressSearch): Sql {
  const within = ranges.map(([first, last]) =>
    first === last ? sql`${column} = ${first}::inet` : sql`${column} between ${first}::inet and ${last}::inet`,
  )
  const any = sql`(${sql.join(within, sql` or `)})`
  return prefix === undefined ? any : sql`(${any} and starts_with(host(${column}), ${prefix}))`
}

/** `203.`, `203.0.113.` or `203.0.11`: complete numbers, and possibly the start of one more. */
function ipv4Prefix(text: string): AddressSearch | undefined {
  if (!/^\d{1,3}(\.\d{1,3}){0,2}\.\d{0,3}$/.test(text)) return undefined
  const parts = text.split('.')
  const last = parts.pop() ?? ''
  if (parts.some((part) => Number(part) > 255) || Number(last) > 255) return undefined
  const missing = 3 - parts.length
  const fill = (value: string | number, rest: number) => [...parts, value, ...Array<number>(missing).fill(rest)].join('.')
  // One range, in which `prefix` filters out other addresses.
  const numbers = Array.from({ length: 256 }, (_, number) => number).filter((number) => String(number).startsWith(last))
  const [first, end] = [numbers.at(0), numbers.at(-1)]
  if (first === undefined || end === undefined) return undefined
  return { ranges: [[fill(first, 0), fill(end, 255)]], prefix: text, port: undefined }
}

const GROUPS = 8

/** `2001:db8:` or `2001:db8:1`: complete groups, and possibly the start of one more, with or without leading zeros. */
function ipv6Prefix(text: string): AddressSearch | undefined {
  if (!/^([0-9a-f]{1,4}:){1,7}[0-9a-f]{0,4}$/.test(text)) return undefined
  const groups = text.split(':')
  const last = groups.pop() ?? ''
  const fill = (group: string, rest: string) =>
    [...groups, group, ...Array<string>(GROUPS - 1 - groups.length).fill(rest)].slice(0, GROUPS).join(':')
  // A group with leading zeros has four digits; without them any number.
  const missing = [0, 1, 2, 3].filter((more) => (last.startsWith('0') ? last.length + more === 4 : last.length + more <= 4))
  const ranges = missing.map((more): [string, string] => [
    fill(last.padEnd(last.length + more, '0'), '0'),
    fill(last.padEnd(last.length + more, 'f'), 'ffff'),
  ])
  // Ranges only: zeros can be written in several ways, so a comparison as text would fail.
  return { ranges: last === '' ? [[fill('0', '0'), fill('ffff', 'ffff')]] : ranges, prefix: undefined, port: undefined }
}

/** The last address that starts with this text, which ends in `::`. */
function lastWithPrefix(text: string): string {
  const groups = text
    .slice(0, -2)
    .split(':')
    .filter((group) => group !== '')
  return [...groups, ...Array<string>(GROUPS - groups.length).fill('ffff')].join(':')
}
