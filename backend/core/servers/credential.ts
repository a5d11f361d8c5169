/**
 * A game server's credential: `mst_` + public ID + `_` + 30 random base62 characters + a checksum of 6. Secret scanners
 * recognize the shape. The checksum distinguishes a typo from a revoked credential. Only the SHA-256 is stored.
 */
import { SecretText, hasValidChecksum } from '#backend/platform/secret-text.ts'

export { type SecretText as Credential, hashSecret as hashCredential } from '#backend/platform/secret-text.ts'

const SHAPE = /^mst_[0-9A-Za-z]{7}_[0-9A-Za-z]{36}$/
export const PUBLIC_ID_LENGTH = 7

export const newCredential = (publicId: string): SecretText => SecretText.create(`mst_${publicId}_`)

/** `malformed` means that this text was never issued: its shape is wrong, or its checksum doesn't match (a typo). */
export function checkCredential(text: string): 'ok' | 'malformed' {
  return SHAPE.test(text) && hasValidChecksum(text) ? 'ok' : 'malformed'
}
