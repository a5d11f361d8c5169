import { type KeyObject, hash, verify } from 'node:crypto'

/** GitHub identifies a key by the SHA-256 of its PEM text with the final line break, in hexadecimal. */
const identifierOf = (key: KeyObject) => hash('sha256', key.export({ type: 'spki', format: 'pem' }).toString())

/**
 * Whether one of the keys signed these bytes (ECDSA with SHA-256, DER in Base64). The named key is the only one that counts if it is among
 * them. Otherwise each key is tried.
 */
export function isSigned(keys: readonly KeyObject[], identifier: string, signature: string, body: Buffer): boolean {
  const named = keys.filter((key) => identifierOf(key) === identifier.toLowerCase())
  const bytes = Buffer.from(signature, 'base64')
  return (named.length > 0 ? named : keys).some((key) => verify('sha256', body, key, bytes))
}
