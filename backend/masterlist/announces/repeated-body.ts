/** Recognizes bodies that a server repeats, as most do: parsing and validating takes a tenth of an announce's time. */
import { crc32 } from 'node:zlib'
import type { ServerRecord } from '#backend/masterlist/registry/server-record.ts'
import type { ParsedAnnounce } from './announce-body.ts'

const NO_NOTICES: ParsedAnnounce['notices'] = []
/** Knuth's multiplicative hashing: odd, so that no two lengths give the same product in 32 bits. */
const LENGTH_MULTIPLIER = 0x9e_37_79_b1

/**
 * CRC-32 mixed with the length, as a signed 32-bit integer, which the engine stores without allocating. Bodies of equal length that differ
 * in at most four adjacent bytes (players or queue) never collide; others collide with a chance of 1 in 2^32.
 */
export function fingerprintOf(body: Buffer): number {
  return crc32(body) ^ Math.imul(body.length, LENGTH_MULTIPLIER)
}

/** Returns the parsed announce if the live state was parsed from an identical body; else undefined. */
export function findRepeated(
  { announced, fingerprintedState, bodyFingerprint }: ServerRecord,
  fingerprint: number,
): ParsedAnnounce | undefined {
  if (bodyFingerprint !== fingerprint || announced === undefined || fingerprintedState !== announced) return undefined
  return { announced, notices: NO_NOTICES, announcedPlayers: announced.playersCount }
}

/** Call after the live state was set from the body. A body that caused notices is parsed each time. */
export function rememberBody(server: ServerRecord, fingerprint: number, { notices }: ParsedAnnounce): void {
  server.bodyFingerprint = fingerprint
  server.fingerprintedState = notices.length === 0 ? server.announced : undefined
}
