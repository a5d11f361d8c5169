/**
 * A game server's credential: `mst_` + public ID + `_` + 30 random base62 characters + a checksum of 6 (contract section 5). Secret scanners
 * recognize the shape. The checksum distinguishes a typo from a revoked credential. Only the SHA-256 is stored: 178 random bits need no slow
 * hash.
 */
import { hash } from 'node:crypto'
import { inspect } from 'node:util'
import { crc32 } from 'node:zlib'
import { BASE62, randomBase62 } from '#backend/platform/random-id.ts'

const SHAPE = /^mst_[0-9A-Za-z]{7}_[0-9A-Za-z]{36}$/
const CHECKSUM_LENGTH = 6
export const PUBLIC_ID_LENGTH = 7

/** CRC-32 (IEEE) of the text, in base62, most significant digit first, padded with `0` to six. */
export function checksumOf(text: string): string {
  let remainder = crc32(text)
  let digits = ''
  for (let place = 0; place < CHECKSUM_LENGTH; place += 1) {
    digits = `${BASE62[remainder % 62]}${digits}`
    remainder = Math.floor(remainder / 62)
  }
  return digits
}

/** A credential in plain text, for the one reply that shows it. It can't be printed, logged or serialized by accident. */
export class Credential {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  /** Call this only to build the reply. */
  reveal(): string {
    return this.#text
  }

  /** The last four characters, which stay visible in the panel. */
  get hint(): string {
    return this.#text.slice(-4)
  }

  get hash(): Buffer {
    return hashCredential(this.#text)
  }

  toString(): string {
    return '[credential]'
  }

  toJSON(): string {
    return '[credential]'
  }

  [inspect.custom](): string {
    return '[credential]'
  }
}

export function newCredential(publicId: string): Credential {
  const start = `mst_${publicId}_${randomBase62(30)}`
  return new Credential(start + checksumOf(start))
}

/** `malformed` means that this text was never issued: its shape is wrong, or its checksum doesn't match (a typo). */
export function checkCredential(text: string): 'ok' | 'malformed' {
  if (!SHAPE.test(text)) return 'malformed'
  return checksumOf(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH) ? 'ok' : 'malformed'
}

export function hashCredential(text: string): Buffer {
  return hash('sha256', text, 'buffer')
}
