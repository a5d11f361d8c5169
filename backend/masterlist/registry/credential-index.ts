/**
 * Who an announce is from. Working credentials lie in memory by their hash; a well-formed one that is not there is looked up in the
 * database once (another process may have made it a moment ago), and what was learned is remembered for a while.
 */
import { hash } from 'node:crypto'
import type { Clock } from '#backend/platform/clock.ts'
import { checkCredential } from '#backend/features/servers/credential.ts'
import type { LiveCredential } from './server-record.ts'

/** Where a credential that does not work belongs, as far as anybody knows. */
export interface Dead {
  readonly code: 'CREDENTIAL_REVOKED' | 'CREDENTIAL_UNKNOWN'
  /** Undefined where there is no such server any more. */
  readonly publicId: string | undefined
}

/** What the database says of a hash: a server to read anew, a dead credential, or nothing at all. */
export type Found = { readonly publicId: string } | Dead

/** So many dead and unknown ones are remembered; the oldest go first. */
const MOST_DEAD = 20_000
/** An unknown one may have been made by another process since. */
const UNKNOWN_MS = 30_000
const REVOKED_MS = 3_600_000
/** More look-ups than this at once are refused: a flood of made-up credentials must not take the database's connections. */
const MOST_LOOKUPS = 32

const BEARER = /^bearer +(\S+) *$/i

/** The credential text in an Authorization header; undefined where there is none. */
export function bearerOf(header: string | undefined): string | undefined {
  if (header === undefined) return undefined
  if (header.startsWith('Bearer mst_') && !header.includes(' ', 8)) return header.slice(7)
  return BEARER.exec(header)?.[1]
}

/** The Map key of a credential: its SHA-256, which is what the database holds, as a Latin-1 text. */
export function keyOfCredential(text: string): string {
  return hash('sha256', text, 'binary')
}

export function keyOfHash(stored: Buffer): string {
  return stored.toString('latin1')
}

export class CredentialIndex {
  readonly #clock: Clock
  readonly #look: (hash: Buffer) => Promise<Found | undefined>
  readonly #live = new Map<string, LiveCredential>()
  readonly #dead = new Map<string, Dead & { until: number }>()
  readonly #pending = new Map<string, Promise<Found | undefined>>()

  /** @param look finds a hash in the database; answers undefined where nobody issued it. */
  constructor(clock: Clock, look: (hash: Buffer) => Promise<Found | undefined>) {
    this.#clock = clock
    this.#look = look
  }

  live(key: string): LiveCredential | undefined {
    return this.#live.get(key)
  }

  /** Replaces a server's working credentials; what is not among them any more is revoked. */
  replace(before: readonly LiveCredential[], now: readonly LiveCredential[]): void {
    for (const old of before) {
      this.#live.delete(old.key)
      this.#remember(old.key, { code: 'CREDENTIAL_REVOKED', publicId: old.publicId })
    }
    for (const credential of now) {
      this.#live.set(credential.key, credential)
      this.#dead.delete(credential.key)
    }
  }

  /** A server is somebody else's now: its credentials are revoked, and whoever still uses one is none of the new owner's business. */
  letGo(publicId: string, credentials: readonly LiveCredential[]): void {
    this.replace(credentials, [])
    for (const [key, dead] of this.#dead) if (dead.publicId === publicId) this.#dead.set(key, { ...dead, publicId: undefined })
  }

  /** What is known without the database of a credential that is not live: malformed, dead, or undefined. */
  known(text: string, key: string): Dead | 'malformed' | undefined {
    const dead = this.#dead.get(key)
    if (dead !== undefined && dead.until > this.#clock.uptime()) return dead
    return checkCredential(text) === 'malformed' ? 'malformed' : undefined
  }

  /** Looks a credential up, once for all who ask at the same time. Throws where the database can't be asked. */
  async lookUp(key: string): Promise<Found> {
    const pending = this.#pending.get(key) ?? this.#begin(key)
    const found = (await pending) ?? { code: 'CREDENTIAL_UNKNOWN', publicId: undefined }
    if ('code' in found) this.#remember(key, found)
    return found
  }

  #begin(key: string): Promise<Found | undefined> {
    if (this.#pending.size >= MOST_LOOKUPS) throw new Error('Too many credentials are being looked up.')
    const pending = this.#look(Buffer.from(key, 'latin1')).finally(() => this.#pending.delete(key))
    this.#pending.set(key, pending)
    return pending
  }

  #remember(key: string, dead: Dead): void {
    if (this.#live.has(key)) return
    this.#dead.delete(key)
    this.#dead.set(key, { ...dead, until: this.#clock.uptime() + (dead.code === 'CREDENTIAL_REVOKED' ? REVOKED_MS : UNKNOWN_MS) })
    if (this.#dead.size <= MOST_DEAD) return
    const oldest = this.#dead.keys().next()
    if (!oldest.done) this.#dead.delete(oldest.value)
  }
}
