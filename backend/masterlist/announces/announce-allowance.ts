/** Limits announces per credential across all nodes (contract section 12). A server at its normal pace causes no message. */
import { RATES } from '#contract/limits.ts'
import type { Deps } from '#backend/platform/deps.ts'
import type { Registry } from '#backend/masterlist/registry/registry.ts'
import type { LiveCredential } from '#backend/masterlist/registry/server-record.ts'
import { limitKey } from '#backend/platform/http/client-address.ts'
import { RateLimitSync, type TokenBuckets, createBuckets, maxDebt } from '#backend/platform/http/rate-limit.ts'

const BURST = RATES.announces.burst
const MS_PER_TOKEN = (RATES.announces.seconds * 1000) / RATES.announces.refill

interface Parts extends Pick<Deps, 'clock' | 'bus'> {
  readonly env: { readonly RATE_LIMITS: boolean }
  readonly registry: Registry
}

export class AnnounceAllowance {
  readonly #parts: Parts
  readonly #otherAddresses: TokenBuckets
  readonly #sync: RateLimitSync

  constructor(parts: Parts) {
    this.#parts = parts
    this.#otherAddresses = createBuckets(parts, 'unbound-address-announces')
    this.#sync = new RateLimitSync(parts.bus, 'announces', (key, count) => this.#takeRemote(key, count))
  }

  /** Returns 0, or the whole seconds until the credential may announce again. */
  take(credential: LiveCredential, address: string): number {
    if (!this.#parts.env.RATE_LIMITS) return 0
    // Announces from another address must not use up the real server's tokens.
    if (credential.boundAddress !== undefined && credential.boundAddress !== address)
      return this.#otherAddresses.take(`${credential.id} ${limitKey(address)}`)
    const uptime = this.#parts.clock.uptime()
    // Negative if other nodes took more.
    const tokens = BURST - Math.max(0, credential.fullAt - uptime) / MS_PER_TOKEN
    if (tokens < 1) return Math.max(1, Math.ceil(((1 - tokens) * MS_PER_TOKEN) / 1000))
    credential.fullAt = Math.max(uptime, credential.fullAt) + MS_PER_TOKEN
    // The first token from a full bucket is published together with the second.
    if (tokens < BURST) this.#sync.publish(`${credential.publicId} ${credential.id}`, credential.hasUnpublishedUse ? 2 : 1)
    credential.hasUnpublishedUse = tokens >= BURST
    return 0
  }

  #takeRemote(key: string, count: number): void {
    const [publicId = '', id] = key.split(' ')
    const credential = this.#parts.registry.get(publicId)?.credentials.find((candidate) => candidate.id === id)
    if (credential === undefined) return
    const uptime = this.#parts.clock.uptime()
    const maxFullAt = uptime + (BURST + maxDebt(BURST)) * MS_PER_TOKEN
    credential.fullAt = Math.min(Math.max(uptime, credential.fullAt) + count * MS_PER_TOKEN, maxFullAt)
  }
}
