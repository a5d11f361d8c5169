/**
 * A game server's credential: `mst_` + public id + `_` + 30 random base62 characters + 6 of checksum (contract section 5). Secret scanners
 * find the shape; the checksum tells a typo from a revoked one. Only the SHA-256 is stored: 178 random bits need no slow hash.
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
  let rest = crc32(text)
  let digits = ''
  for (let place = 0; place < CHECKSUM_LENGTH; place += 1) {
    digits = `${BASE62[rest % 62]}${digits}`
    rest = Math.floor(rest / 62)
  }
  return digits
}

/** A credential in the clear, on its way to the one reply that shows it. It can't be printed, logged or serialised by accident. */
export class Credential {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  /** Call it only where the reply is put together. */
  reveal(): string {
    return this.#text
  }

  /** The last four characters, which may be shown for ever. */
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

/** `malformed` where the text can't have been issued by anybody: wrong shape, or a checksum that does not fit (a typo). */
export function checkCredential(text: string): 'ok' | 'malformed' {
  if (!SHAPE.test(text)) return 'malformed'
  return checksumOf(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH) ? 'ok' : 'malformed'
}

export function hashCredential(text: string): Buffer {
  return hash('sha256', text, 'buffer')
}
