/** Reports of secrets that were found in public. A working one is revoked at once. */
import { hash, type KeyObject, verify } from 'node:crypto'
import { Leak, type report } from '#contract/users/leaks.ts'
import type { ReplyOf } from '#contract/api/endpoint.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { isApiKey } from '#backend/core/api-keys/api-key.ts'
import { revokeLeakedApiKey } from '#backend/core/api-keys/api-keys.ts'
import { checkCredential } from '#backend/core/servers/credential.ts'
import { revokeLeakedCredential } from '#backend/core/servers/leaked-credential.ts'

/**
 * Revokes the secret of one entry of a report. An entry without a usable secret is false, so that the others of its report still count.
 * @param endKey called with the id of each API key that worked until now.
 */
export async function reportEntry(db: Db, entry: unknown, endKey: (apiKeyId: string) => void): Promise<ReplyOf<typeof report>[number]> {
  const { data: leak } = Leak.safeParse(entry)
  if (leak === undefined) return { token_hash: hashOfUnusable(entry), token_type: '', label: 'false_positive' }
  const { token, type, url, source } = leak
  const isGenuine = await revokeIfOurs(db, token, placeOf(url, source), endKey)
  return { token_hash: hash('sha256', token), token_type: type, label: isGenuine ? 'true_positive' : 'false_positive' }
}

function hashOfUnusable(entry: unknown): string {
  const token = typeof entry === 'object' && entry !== null && 'token' in entry ? entry.token : undefined
  return typeof token === 'string' ? hash('sha256', token) : ''
}

async function revokeIfOurs(
  db: Db,
  token: string,
  place: Readonly<Record<string, string>>,
  endKey: (id: string) => void,
): Promise<boolean> {
  if (checkCredential(token) === 'ok') return revokeLeakedCredential(db, token, place)
  if (!isApiKey(token)) return false
  const { isGenuine, revokedId } = await revokeLeakedApiKey(db, token, place)
  if (revokedId !== undefined) endKey(revokedId)
  return isGenuine
}

const SECRET = /m[sk][kt]_[0-9A-Za-z]{7,8}_[0-9A-Za-z]{36}/g
const MAX_URL = 500

/** Where a secret was found, for its owner: a web address without username, password and secrets. */
function placeOf(url: string, source: string): Readonly<Record<string, string>> {
  const address = URL.parse(url)
  if (address === null || !/^https?:$/.test(address.protocol)) return sourceOf(source)
  address.username = ''
  address.password = ''
  return { found_at: address.href.replaceAll(SECRET, '[secret]').slice(0, MAX_URL), ...sourceOf(source) }
}

/** GitHub's sources are words such as `content`; anything else is left out. */
const sourceOf = (source: string) => (/^\w{1,40}$/.test(source) ? { found_in: source.toLowerCase().replaceAll('_', ' ') } : {})

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
