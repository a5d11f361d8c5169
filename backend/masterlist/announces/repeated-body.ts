/** Recognizes a body that the same server sent before, as most do: parsing and checking it is a tenth of what an announce costs. */
import { crc32 } from 'node:zlib'
import type { ServerRecord } from '#backend/masterlist/registry/server-record.ts'
import type { ParsedAnnounce } from './announce-body.ts'

const NO_NOTICES: ParsedAnnounce['notices'] = []
/** Knuth's multiplicative hashing: odd, so that no two lengths give the same product in 32 bits. */
const OF_LENGTH = 0x9e_37_79_b1

/**
 * CRC-32 mixed with the length, as a signed 32-bit integer, which the engine keeps in place. Bodies of one length that differ in at most four
 * adjacent bytes (players or queue) never have the same one, others by a chance of 1 in 2^32.
 */
export function fingerprintOf(body: Buffer): number {
  return crc32(body) ^ Math.imul(body.length, OF_LENGTH)
}

/** What the body says, if the server's live state was read from the same; else undefined. */
export function findRepeated(
  { announced, fingerprintedState: readAs, bodyFingerprint: bodyPrint }: ServerRecord,
  print: number,
): ParsedAnnounce | undefined {
  if (bodyPrint !== print || announced === undefined || readAs !== announced) return undefined
  return { announced, notices: NO_NOTICES, announcedPlayers: announced.playersCount }
}

/** Call once the live state is what was read from the body. A body that caused notices is read each time. */
export function rememberBody(server: ServerRecord, print: number, { notices }: ParsedAnnounce): void {
  server.bodyFingerprint = print
  server.fingerprintedState = notices.length === 0 ? server.announced : undefined
}
