/**
 * Token buckets in bounded memory, for addresses, sessions and users. Each node decides at once and publishes the tokens taken. The others
 * subtract them, so a caller that alternates between nodes gains only what is in flight. The first token of a full bucket is published with
 * the second. So nearly all callers, which are far from their limit, cost no message.
 */
import { LRUCache } from 'lru-cache'
import { RATES, type RateName } from '#contract/api/limits.ts'
import type { Clock } from '#backend/platform/clock.ts'
import type { Bus } from '#backend/platform/cluster/bus.ts'
import type { Deps } from '#backend/platform/deps.ts'
import type { Env } from '#backend/platform/env.ts'
import { AppError, tooManyRequests } from '#backend/platform/errors.ts'

interface Bucket {
  tokens: number
  at: number
  /** Tokens taken while the bucket was full and not yet published. */
  unpublished: number
}

/** Beyond this, the key that was not used for the longest time is forgotten. */
const MAX_KEYS = 200_000
/** Tokens taken within this time go in one message. */
const BATCH_MS = 5
/** Keys per message. Further keys are not published, and each node counts them alone. */
const MAX_KEYS_PER_MESSAGE = 1000

interface BucketState {
  /** Whole tokens. */
  readonly remaining: number
  readonly secondsUntilFull: number
}

/** The buckets of a limit, which all nodes share. Create each once. */
export class TokenBuckets {
  readonly #rule: { readonly burst: number; readonly perSecond: number }
  readonly #clock: Clock
  readonly #buckets = new LRUCache<string, Bucket>({ maxSize: MAX_KEYS, sizeCalculation: () => 1 })
  readonly #sync: RateLimitSync

  constructor({ clock, bus }: Pick<Deps, 'clock' | 'bus'>, name: RateName) {
    const { burst, refill, seconds } = RATES[name]
    this.#rule = { burst, perSecond: refill / seconds }
    this.#clock = clock
    this.#sync = new RateLimitSync(bus, name, (key, count) => this.#takeRemote(key, count))
  }

  /** Takes tokens, all or none. Returns 0 on success, else whole seconds until they are there. */
  take(key: string, count = 1): number {
    const { burst, perSecond } = this.#rule
    const bucket = this.#bucketOf(key)
    if (bucket.tokens < count) return Math.max(1, Math.ceil((count - bucket.tokens) / perSecond))
    const isFirst = count === 1 && bucket.tokens >= burst
    bucket.tokens -= count
    if (!isFirst) this.#sync.publish(key, bucket.unpublished + count)
    bucket.unpublished = isFirst ? 1 : 0
    return 0
  }

  /** As of the last call with this key. */
  stateOf(key: string): BucketState {
    const { burst, perSecond } = this.#rule
    const tokens = this.#buckets.peek(key)?.tokens ?? burst
    return { remaining: Math.max(0, Math.floor(tokens)), secondsUntilFull: (burst - tokens) / perSecond }
  }

  /** Puts one token back, for an action that does not count. */
  refund(key: string): void {
    const bucket = this.#buckets.get(key)
    if (bucket === undefined) return
    bucket.tokens = Math.min(this.#rule.burst, bucket.tokens + 1)
    if (bucket.unpublished > 0) bucket.unpublished = 0
    else this.#sync.publish(key, -1)
  }

  /** Tokens taken on other nodes may lead below zero. The debt is limited, so that a slow bucket never causes a wait of days. */
  #takeRemote(key: string, count: number): void {
    const bucket = this.#bucketOf(key)
    const { burst } = this.#rule
    bucket.tokens = Math.min(burst, Math.max(-maxDebt(burst), bucket.tokens - count))
  }

  #bucketOf(key: string): Bucket {
    const now = this.#clock.uptime()
    const { burst, perSecond } = this.#rule
    const known = this.#buckets.get(key)
    const bucket = known ?? { tokens: burst, at: now, unpublished: 0 }
    if (known === undefined) this.#buckets.set(key, bucket)
    bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) / 1000) * perSecond)
    bucket.at = now
    return bucket
  }
}

/** How far below zero other nodes may bring a bucket of this burst. */
function maxDebt(burst: number): number {
  return Math.max(1, burst / 4)
}

/** Publishes the tokens taken from one limit, and receives those taken on other nodes. */
class RateLimitSync {
  readonly #bus: Bus
  readonly #limit: string
  readonly #pending = new Map<string, number>()
  #isScheduled = false

  constructor(bus: Bus, limit: string, onRemote: (key: string, count: number) => void) {
    this.#bus = bus
    this.#limit = limit
    bus.on('rateLimit', (data) => {
      if (data.limit === limit) for (const [key, count] of Object.entries(data.keys)) onRemote(key, count)
    })
  }

  /** @param count negative for refunds. */
  publish(key: string, count: number): void {
    if (this.#bus.livePeers === 0 || (this.#pending.size >= MAX_KEYS_PER_MESSAGE && !this.#pending.has(key))) return
    this.#pending.set(key, (this.#pending.get(key) ?? 0) + count)
    if (this.#isScheduled) return
    this.#isScheduled = true
    setTimeout(() => this.#send(), BATCH_MS).unref()
  }

  #send(): void {
    this.#isScheduled = false
    const keys = Object.fromEntries([...this.#pending].filter(([, count]) => count !== 0))
    this.#pending.clear()
    if (Object.keys(keys).length > 0) this.#bus.publish('rateLimit', { limit: this.#limit, keys })
  }
}

/** A limit of the table, for routes. Throws `tooManyRequests`. */
export interface RateLimit {
  /** Takes several tokens at once, or none. */
  take(key: string, count?: number): void
  /** Runs an action that, for most limits, counts only if it succeeds. */
  run<T>(key: string, act: () => Promise<T>): Promise<T>
  /** Undefined if rate limits are off. */
  stateOf(key: string): BucketState | undefined
}

type Parts = Pick<Deps, 'clock' | 'bus'> & { readonly env: Pick<Env, 'RATE_LIMITS'> }

/** Rejects nothing if rate limits are off. */
export function createRateLimit(deps: Parts, name: RateName): RateLimit {
  const buckets = deps.env.RATE_LIMITS ? new TokenBuckets(deps, name) : undefined
  const { countsFailures } = RATES[name]
  const take = (key: string, count = 1) => {
    const wait = buckets?.take(key, count) ?? 0
    if (wait > 0) throw tooManyRequests(wait)
  }
  const run = async <T>(key: string, act: () => Promise<T>) => {
    take(key)
    try {
      return await act()
    } catch (error) {
      // A call that another limit rejects counts against none.
      const isLimited = error instanceof AppError && error.kind === 'too-many'
      if (isLimited || !countsFailures) buckets?.refund(key)
      throw error
    }
  }
  return { take, run, stateOf: (key) => buckets?.stateOf(key) }
}
