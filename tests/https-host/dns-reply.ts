/** Replies to DNS queries, as far as tests need them. */
import ipaddr from 'ipaddr.js'

const HEADER_BYTES = 12
const TYPES: Readonly<Record<number, 'ipv4' | 'ipv6'>> = { 1: 'ipv4', 28: 'ipv6' }

/** Returns the addresses of a host, for A and for AAAA; undefined sends no reply. */
export type Resolve = (host: string, kind: 'ipv4' | 'ipv6') => readonly string[] | undefined

/** A successful reply to one query. Additional records of the query are dropped. */
export function replyToQuery(query: Buffer, resolve: Resolve, ttlSeconds = 0): Buffer | undefined {
  const { host, end } = nameIn(query)
  const kind = TYPES[query.readUInt16BE(end)]
  const addresses = kind === undefined ? [] : resolve(host, kind)
  if (addresses === undefined) return undefined
  const type = query.subarray(end, end + 2)
  const records = addresses.map((each) => recordOf(Buffer.from(ipaddr.parse(each).toByteArray()), type, ttlSeconds))
  const head = Buffer.from(query.subarray(0, HEADER_BYTES))
  head.writeUInt16BE(0x8180, 2)
  for (const [index, count] of [1, records.length, 0, 0].entries()) head.writeUInt16BE(count, 4 + index * 2)
  return Buffer.concat([head, query.subarray(HEADER_BYTES, end + 4), ...records])
}

/** The queried name, and the offset of its end. */
function nameIn(query: Buffer): { host: string; end: number } {
  const labels: string[] = []
  let at = HEADER_BYTES
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  return { host: labels.join('.').toLowerCase(), end: at + 1 }
}

/** A record of the queried name. */
function recordOf(address: Buffer, type: Buffer, ttlSeconds: number): Buffer {
  const rest = Buffer.from([0, 1, 0, 0, 0, 0, 0, address.length])
  rest.writeUInt32BE(ttlSeconds, 2)
  return Buffer.concat([Buffer.from([0xc0, HEADER_BYTES]), type, rest, address])
}
