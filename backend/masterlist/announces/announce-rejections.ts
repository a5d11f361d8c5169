/** Rejects announces: counts them, records them for owners, and limits unauthenticated senders by address. */
import { LRUCache } from 'lru-cache'
import type { Deps } from '#backend/platform/deps.ts'
import type { Env } from '#backend/platform/env.ts'
import { banSentences } from '#backend/masterlist/registry/listing.ts'
import { type RejectionCode, wordingOf } from '#backend/masterlist/registry/reasons.ts'
import type { Registry } from '#backend/masterlist/registry/registry.ts'
import type { LiveCredential, ServerRecord } from '#backend/masterlist/registry/server-record.ts'
import type { Attempts } from '#backend/masterlist/persistence/attempts.ts'
import { otherBoundAddressOf } from '#backend/masterlist/registry/sources.ts'
import { type Reply, type Sentences, rejectionReply } from '#backend/masterlist/wire/reply.ts'
import { inEnglish } from '#backend/platform/messages/language.ts'
import { limitKey } from '#backend/platform/http/client-address.ts'
import { TokenBuckets } from '#backend/platform/http/rate-limit.ts'
import { type AnnounceObserver, noopObserver } from '#backend/masterlist/registry/announce-observer.ts'

const MAX_BLOCKED = 100_000
/** Attempts show only this much of a body's errors. The reply has all of them. */
const MAX_DETAIL_CHARACTERS = 300

/** Ends an announce with a reply. */
export class Rejected extends Error {
  readonly reply: Reply

  constructor(reply: Reply) {
    super('The announce was rejected.')
    this.reply = reply
  }
}

/** The announcing server, and its credential if it is valid. */
export interface Announcer {
  readonly server: ServerRecord
  readonly credential?: LiveCredential
}

interface Parts extends Pick<Deps, 'clock' | 'bus'> {
  readonly env: Pick<Env, 'RATE_LIMITS'>
  readonly registry: Registry
  readonly attempts: Attempts
}

export class AnnounceRejections {
  readonly #parts: Parts
  readonly #unauthenticated: TokenBuckets
  /** Addresses that may not cause database lookups before this uptime. With `max` instead, it would allocate room for all at once. */
  readonly #blockedUntil = new LRUCache<string, number>({ maxSize: MAX_BLOCKED, sizeCalculation: () => 1 })
  readonly counts = new Map<string, number>()
  observer: AnnounceObserver = noopObserver

  constructor(parts: Parts) {
    this.#parts = parts
    this.#unauthenticated = new TokenBuckets(parts, 'unauthenticated-announces')
  }

  /** Rejects an announce of a known server and records it for the owner. @param retryAfter seconds. @param errors one per invalid field. */
  reject(code: RejectionCode, { server, credential }: Announcer, address: string, retryAfter = 0, errors?: Sentences): Rejected {
    const { attempts, clock, registry } = this.#parts
    this.#count(code)
    const rejection = { at: clock.now(), code, address, detail: detailOf(errors) }
    server.lastRejection = rejection
    if (attempts.enqueue(server, rejection)) registry.onChange(server)
    this.observer.rejected(server, code, address, rejection.at, credential)
    return new Rejected(rejectionReply(code, retryAfter, errors ?? banErrorsOf(code, server)))
  }

  /** Rejects a call without a valid credential. @param publicId the server whose owner sees the attempt, if known. */
  rejectUnauthenticated(code: RejectionCode, publicId: string | undefined, address: string): Rejected {
    const wait = this.#parts.env.RATE_LIMITS ? this.#unauthenticated.take(limitKey(address)) : 0
    if (wait > 0) {
      this.#count('TOO_MANY_REQUESTS')
      this.#blockedUntil.set(limitKey(address), this.#parts.clock.uptime() + wait * 1000)
      return new Rejected(rejectionReply('TOO_MANY_REQUESTS', wait))
    }
    const server = publicId === undefined ? undefined : this.#parts.registry.get(publicId)
    if (server !== undefined) return this.reject(code, { server }, address)
    this.#count(code)
    return new Rejected(rejectionReply(code))
  }

  /** Throws for an address that has just tried too many unknown credentials. */
  rejectIfBlocked(address: string): void {
    const blockedMs = (this.#blockedUntil.get(limitKey(address)) ?? 0) - this.#parts.clock.uptime()
    if (blockedMs > 0) throw new Rejected(rejectionReply('TOO_MANY_REQUESTS', Math.ceil(blockedMs / 1000)))
  }

  #count(code: string): void {
    this.counts.set(code, (this.counts.get(code) ?? 0) + 1)
  }
}

/** Stored, so it is in English. One sentence a line, so that each can be translated. */
function detailOf(errors: Sentences | undefined): string {
  return errors === undefined ? '' : inEnglish(() => errors().join('\n').slice(0, MAX_DETAIL_CHARACTERS))
}

/** The reason of a ban, for senders with a valid credential; undefined for other rejections. */
export function banErrorsOf(code: RejectionCode, { fields }: ServerRecord): Sentences | undefined {
  const ban = code === 'SERVER_BANNED' ? fields.ban : code === 'OWNER_BANNED' ? fields.ownerBan : undefined
  return ban === undefined ? undefined : () => [wordingOf(code).message, ...banSentences(ban)]
}

export function banCodeOf({ fields }: ServerRecord): 'SERVER_BANNED' | 'OWNER_BANNED' | undefined {
  if (fields.ban !== undefined) return 'SERVER_BANNED'
  return fields.ownerBan === undefined ? undefined : 'OWNER_BANNED'
}

/** Why the caller may not announce from this address. A credential without an address of that family may announce from any. */
export function forbiddenCodeOf({ server, credential }: Required<Announcer>, address: string): RejectionCode | undefined {
  return banCodeOf(server) ?? (otherBoundAddressOf(credential, address) === undefined ? undefined : 'ADDRESS_MISMATCH')
}
