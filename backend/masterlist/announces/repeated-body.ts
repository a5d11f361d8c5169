/**
 * Most announces say what the same server said half a minute before, byte for byte. Such a body is known by its checksum and length and not
 * read again: parsing and checking it is a tenth of what an announce costs.
 */
import { crc32 } from 'node:zlib'
import type { ServerRecord } from '#backend/masterlist/registry/server-record.ts'
import type { Read } from './announce-body.ts'

const NO_NOTICES: Read['notices'] = []
/** Odd, so that no two lengths give the same product in 32 bits (2^32 divided by the golden ratio, as in Knuth's multiplicative hashing). */
const OF_LENGTH = 0x9e_37_79_b1

/**
 * A number that tells one body of a server from its next: CRC-32 mixed with the length. Bodies of one length that differ in four bytes
 * beside each other at most (how many play, or wait) never have the same one; others by a chance of 1 in 2^32 each. It is a whole number of
 * 32 bits with a sign, which the engine keeps in place.
 */
export function printOf(body: Buffer): number {
  return crc32(body) ^ Math.imul(body.length, OF_LENGTH)
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
