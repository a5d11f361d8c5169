/** Secrets that users receive once: hard to print by accident, stored as a hash, with a checksum that secret scanners verify. */
import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { BASE62, randomBase62 } from './random-id.ts'
import { Unprintable } from './unprintable.ts'

const RANDOM_LENGTH = 30
const CHECKSUM_LENGTH = 6

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

/** Whether the last six characters are the checksum of what precedes them. */
export function hasValidChecksum(text: string): boolean {
  return checksumOf(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH)
}

/** The SHA-256, which the database stores: 178 random bits need no slow hash. */
export function hashSecret(text: string): Buffer {
  return hash('sha256', text, 'buffer')
}

/** A secret in plain text, for the one reply that shows it. */
export class SecretText extends Unprintable {
  readonly #text: string

  constructor(text: string) {
    super()
    this.#text = text
  }

  /** A new secret: the start, 30 random base62 characters, and the checksum of both. */
  static create(start: string): SecretText {
    const text = start + randomBase62(RANDOM_LENGTH)
    return new SecretText(text + checksumOf(text))
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
    return hashSecret(this.#text)
  }
}
