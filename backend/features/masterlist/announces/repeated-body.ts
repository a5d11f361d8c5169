/**
 * Most announces say what the same server said half a minute before, byte for byte. Such a body is known by its checksum and length and not
 * read again: parsing and checking it is a tenth of what an announce costs.
 */
import { crc32 } from 'node:zlib'
import type { ServerRecord } from '#backend/features/masterlist/registry/server-record.ts'
import type { Read } from './announce-body.ts'

const NO_NOTICES: Read['notices'] = []
/** What a checksum is below. */
const CRC_RANGE = 2 ** 32

/**
 * A number that tells one body of a server from its next: CRC-32, and above it the length. Bodies that differ in four bytes beside each
 * other at most (how many play, or wait) never have the same one; others of the same length by a chance of 1 in 2^32 each.
 */
export function printOf(body: Buffer): number {
  return body.length * CRC_RANGE + crc32(body)
}

/** What the body says, where it is the one that the server's live state was read from; else undefined. */
export function repeated({ announced, readAs, bodyPrint }: ServerRecord, print: number): Read | undefined {
  if (bodyPrint !== print || announced === undefined || readAs !== announced) return undefined
  return { announced, notices: NO_NOTICES, players: announced.playersCount }
}

/**
 * After what was read from a body has become the server's live state, or was found to be it. What gave cause to a notice, or is not believed,
 * is read each time.
 */
export function keepPrint(server: ServerRecord, print: number, { notices }: Read): void {
  server.bodyPrint = print
  server.readAs = notices.length === 0 ? server.announced : undefined
}
