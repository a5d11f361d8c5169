/** Rejects announces: counts them, shows owners why, and limits strangers by their address. */
import { LRUCache } from 'lru-cache'
import type { Deps } from '#backend/platform/deps.ts'
import type { Env } from '#backend/platform/env.ts'
import { banSentences } from '#backend/masterlist/registry/listing.ts'
import { REJECTIONS, type RejectionCode } from '#backend/masterlist/registry/reasons.ts'
import type { Registry } from '#backend/masterlist/registry/registry.ts'
import type { LiveCredential, ServerRecord } from '#backend/masterlist/registry/server-record.ts'
import type { Attempts } from '#backend/masterlist/persistence/attempts.ts'
import { type Reply, rejectionReply } from '#backend/masterlist/wire/reply.ts'
import { limitKey } from '#backend/platform/http/client-address.ts'
import { TokenBuckets } from '#backend/platform/http/rate-limit.ts'
import { type AnnounceObserver, noopObserver } from './announce-observer.ts'

/** How often an address may try credentials that do not work. */
const STRANGERS = { burst: 100, perSecond: 1 }
const MAX_BLOCKED = 100_000
/** What attempts show of a body's errors; the reply has them all. */
const MAX_DETAIL_CHARACTERS = 300

/** The server that announces, and the credential where it works. */
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
  readonly #strangers: TokenBuckets
  /** Until which uptime an address may not cause lookups in the database. */
  readonly #blockedUntil = new LRUCache<string, number>({ max: MAX_BLOCKED })
  readonly counts = new Map<string, number>()
  observer: AnnounceObserver = noopObserver

  constructor(parts: Parts) {
    this.#parts = parts
    this.#strangers = new TokenBuckets({ ...STRANGERS, clock: parts.clock, shared: { bus: parts.bus, name: 'strangers' } })
  }

  /** Rejects an announce in the name of a server. Its owner sees that. @param retryAfter seconds. @param errors one for each wrong field. */
  reject(code: RejectionCode, { server, credential }: Announcer, address: string, retryAfter = 0, errors?: readonly string[]): Reply {
    const { attempts, clock, registry } = this.#parts
    this.#count(code)
    const rejection = { at: clock.now(), code, address, detail: (errors ?? []).join(' ').slice(0, MAX_DETAIL_CHARACTERS) }
    server.lastRejection = rejection
    if (attempts.enqueue(server, rejection)) registry.onChange(server)
    this.observer.rejected(server, code, address, rejection.at, credential)
    return rejectionReply(code, retryAfter, errors ?? banErrorsOf(code, server))
  }

  /** Rejects a call without a working credential. @param publicId the server whose owner sees it, if known. */
  rejectUnauthenticated(code: RejectionCode, publicId: string | undefined, address: string): Reply {
    const wait = this.#parts.env.RATE_LIMITS ? this.#strangers.take(limitKey(address)) : 0
    if (wait > 0) {
      this.#count('TOO_MANY_REQUESTS')
      this.#blockedUntil.set(limitKey(address), this.#parts.clock.uptime() + wait * 1000)
      return rejectionReply('TOO_MANY_REQUESTS', wait)
    }
    const server = publicId === undefined ? undefined : this.#parts.registry.get(publicId)
    if (server !== undefined) return this.reject(code, { server }, address)
    this.#count(code)
    return rejectionReply(code)
  }

  /** Rejects an address that tried too many unknown credentials a moment ago; undefined for any other. */
  rejectBlocked(address: string): Reply | undefined {
    const blockedMs = (this.#blockedUntil.get(limitKey(address)) ?? 0) - this.#parts.clock.uptime()
    return blockedMs > 0 ? rejectionReply('TOO_MANY_REQUESTS', Math.ceil(blockedMs / 1000)) : undefined
  }

  #count(code: string): void {
    this.counts.set(code, (this.counts.get(code) ?? 0) + 1)
  }
}

/** The reason of a ban, for those who hold a working credential; undefined for any other rejection. */
export function banErrorsOf(code: RejectionCode, { fields }: ServerRecord): string[] | undefined {
  const ban = code === 'SERVER_BANNED' ? fields.ban : code === 'OWNER_BANNED' ? fields.ownerBan : undefined
  return ban === undefined ? undefined : [REJECTIONS[code].message, ...banSentences(ban)]
}

export function banCodeOf({ fields }: ServerRecord): 'SERVER_BANNED' | 'OWNER_BANNED' | undefined {
  if (fields.ban !== undefined) return 'SERVER_BANNED'
  return fields.ownerBan === undefined ? undefined : 'OWNER_BANNED'
}
