/** Credentials by hash. Valid ones are in memory; others are looked up in the database, because another process may have just issued one. */
import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Clock } from '#backend/platform/clock.ts'
import { checkCredential } from '#backend/core/servers/credential.ts'
import type { LiveCredential } from './server-record.ts'

/** A credential that is not valid. */
export interface InvalidCredential {
  readonly code: 'CREDENTIAL_REVOKED' | 'CREDENTIAL_UNKNOWN'
  /** Undefined if it belongs to no server, or to a former owner. */
  readonly publicId: string | undefined
}

/** What the database has for a hash: a server to reload, or an invalid credential. */
export type LookupResult = { readonly publicId: string } | InvalidCredential

const MAX_INVALID = 20_000
/** Short, because another process may issue it in the meantime. */
const UNKNOWN_TTL_MS = 30_000
const REVOKED_TTL_MS = 3_600_000
/** Concurrent lookups: a flood of made-up credentials must not use up all database connections. */
const MAX_LOOKUPS = 32

const BEARER = /^bearer +(\S+) *$/i

export function bearerOf(header: string | undefined): string | undefined {
  return BEARER.exec(header ?? '')?.[1]
}

/** Returns the credential's SHA-256, which the database stores, in hex. */
export function keyOfCredential(text: string): string {
  return hash('sha256', text)
}

export function keyOfHash(stored: Buffer): string {
  return stored.toString('hex')
}

export class CredentialIndex {
  readonly #query: (hash: Buffer) => Promise<LookupResult | undefined>
  readonly #live = new Map<string, LiveCredential>()
  readonly #invalid: LRUCache<string, InvalidCredential>
  readonly #pending = new Map<string, Promise<LookupResult | undefined>>()

  /** @param query finds a hash in the database; undefined if it was never issued. */
  constructor(clock: Clock, query: (hash: Buffer) => Promise<LookupResult | undefined>) {
    this.#query = query
    this.#invalid = new LRUCache({ maxSize: MAX_INVALID, sizeCalculation: () => 1, ttlResolution: 0, perf: { now: () => clock.uptime() } })
  }

  live(key: string): LiveCredential | undefined {
    return this.#live.get(key)
  }

  /** Replaces a server's valid credentials. Previous ones that are not among the current ones are revoked. */
  replace(previous: readonly LiveCredential[], current: readonly LiveCredential[]): void {
    for (const { key, publicId } of previous) {
      this.#live.delete(key)
      this.#addInvalid(key, { code: 'CREDENTIAL_REVOKED', publicId })
    }
    for (const credential of current) {
      this.#live.set(credential.key, credential)
      this.#invalid.delete(credential.key)
    }
  }

  /** Revokes a server's credentials. The new owner never sees attempts with them, or with older ones. */
  revokeOnTransfer(publicId: string, credentials: readonly LiveCredential[]): void {
    this.replace(credentials, [])
    const former = [...this.#invalid].filter(([, invalid]) => invalid.publicId === publicId)
    for (const [key, { code }] of former) this.#invalid.set(key, { code, publicId: undefined }, { noUpdateTTL: true })
  }

  /** Checks a credential that is not live, without the database. */
  findInvalid(text: string, key: string): InvalidCredential | 'malformed' | undefined {
    return this.#invalid.get(key) ?? (checkCredential(text) === 'malformed' ? 'malformed' : undefined)
  }

  /** Looks up a credential. Concurrent lookups share one query. Throws if the database is unavailable. */
  async lookUp(key: string): Promise<LookupResult> {
    const found = (await (this.#pending.get(key) ?? this.#startLookup(key))) ?? { code: 'CREDENTIAL_UNKNOWN', publicId: undefined }
    if ('code' in found && !this.#live.has(key)) this.#addInvalid(key, found)
    return found
  }

  #startLookup(key: string): Promise<LookupResult | undefined> {
    if (this.#pending.size >= MAX_LOOKUPS) throw new Error('Too many credentials are being looked up.')
    const pending = this.#query(Buffer.from(key, 'hex')).finally(() => this.#pending.delete(key))
    this.#pending.set(key, pending)
    return pending
  }

  #addInvalid(key: string, invalid: InvalidCredential): void {
    this.#invalid.set(key, invalid, { ttl: invalid.code === 'CREDENTIAL_REVOKED' ? REVOKED_TTL_MS : UNKNOWN_TTL_MS })
  }
}
