/**
 * The format of an API key: `msk_` + 8 base62 characters + `_` + 30 base62 characters + a checksum of 6. The checksum is the CRC-32 (IEEE, as
 * `zlib.crc32`) of everything before it, ASCII, written in base62 with the digits `0-9A-Za-z`, most significant first, padded with `0` to
 * six. The first 12 characters are the prefix, which stays visible. Only the SHA-256 of the whole key is stored.
 */
import { randomBase62 } from '#backend/platform/random-id.ts'
import { SecretText, hasValidChecksum } from '#backend/platform/secret-text.ts'

const SHAPE = /^msk_[0-9A-Za-z]{8}_[0-9A-Za-z]{36}$/

export function newApiKey(): { readonly prefix: string; readonly key: SecretText } {
  const prefix = `msk_${randomBase62(8)}`
  return { prefix, key: SecretText.create(`${prefix}_`) }
}

/** False means that this text was never issued: its shape is wrong, or its checksum doesn't match (a typo). */
export const isApiKey = (text: string): boolean => SHAPE.test(text) && hasValidChecksum(text)
