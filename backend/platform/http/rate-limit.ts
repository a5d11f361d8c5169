/**
 * Token buckets: a burst at once, then so many a second. In memory and bounded, for addresses, sessions and users alike. Each node decides at
 * once and publishes what was taken, which the others take from theirs: alternating between nodes gains nothing but what is on its way. The
 * first token of a full bucket is published with the second, so callers far from their limit, nearly all of them, cost no message.
 */
import type { Clock } from '#backend/platform/clock.ts'
import type { Bus } from '#backend/platform/cluster/bus.ts'
import type { Deps } from '#backend/platform/deps.ts'
import type { Env } from '#backend/platform/env.ts'
import { tooMany } from '#backend/platform/errors.ts'

interface Bucket {
  tokens: number
  at: number
  /** What was taken from it while it was full, and not published. */
  unpublished: number
}

/** So many of the last keys, and up to as many before them. Deleting single keys would make the engine rebuild the map again and again. */
const LAST_KEYS = 100_000
/** What is taken within this time goes in one message. */
const GATHER_MS = 5
/** Keys in one message; past it nothing is published, and each node counts by itself. */
const MAX_KEYS = 1000

export interface BucketRule {
  readonly burst: number
  readonly perSecond: number
}

interface Options extends BucketRule {
  readonly clock: Clock
  /** Counted over all nodes together, by this name. Left out, each process counts alone. */
  readonly shared?: { readonly bus: Bus; readonly name: string } | undefined
}

export class TokenBuckets {
  readonly #rule: BucketRule
  readonly #clock: Clock
  #recent = new Map<string, Bucket>()
  #earlier: ReadonlyMap<string, Bucket> = new Map()
  readonly #shared: RateLimitSync | undefined

  constructor({ clock, shared, ...rule }: Options) {
    this.#rule = rule
    this.#clock = clock
    this.#shared = shared && new RateLimitSync(shared.bus, shared.name, (key, count) => this.#takenElsewhere(key, count))
  }

  /** Takes one token. Returns 0 where there was one, else the whole seconds until there is. */
  take(key: string): number {
    const { burst, perSecond } = this.#rule
    const bucket = this.#bucketOf(key)
    if (bucket.tokens < 1) return Math.max(1, Math.ceil((1 - bucket.tokens) / perSecond))
    const wasFull = bucket.tokens >= burst
    bucket.tokens -= 1
    if (this.#shared === undefined) return 0
    if (!wasFull) this.#shared.publish(key, bucket.unpublished + 1)
    bucket.unpublished = wasFull ? 1 : 0
    return 0
  }

  /** Puts one token back, for what turned out not to count. */
  refund(key: string): void {
    const bucket = this.#known(key)
    if (bucket === undefined) return
    bucket.tokens = Math.min(this.#rule.burst, bucket.tokens + 1)
    if (bucket.unpublished > 0) bucket.unpublished = 0
    else this.#shared?.publish(key, -1)
  }

  /** Down to some debt: what was on its way is paid for later, but not by a wait of days where little comes back in a day. */
  #takenElsewhere(key: string, count: number): void {
    const bucket = this.#bucketOf(key)
    const { burst } = this.#rule
    bucket.tokens = Math.min(burst, Math.max(-maxDebt(burst), bucket.tokens - count))
  }

  #bucketOf(key: string): Bucket {
    const now = this.#clock.uptime()
    const { burst, perSecond } = this.#rule
    const bucket = this.#known(key) ?? { tokens: burst, at: now, unpublished: 0 }
    if (!this.#recent.has(key)) {
      if (this.#recent.size >= LAST_KEYS) {
        this.#earlier = this.#recent
        this.#recent = new Map()
      }
      this.#recent.set(key, bucket)
    }
    bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) / 1000) * perSecond)
    bucket.at = now
    return bucket
  }

  #known(key: string): Bucket | undefined {
    return this.#recent.get(key) ?? this.#earlier.get(key)
  }
}

/** How far below zero other nodes may take a bucket of this burst. */
export function maxDebt(burst: number): number {
  return Math.max(1, burst / 4)
}

/** Publishes what is taken from one limit, and receives what other nodes took. */
export class RateLimitSync {
  readonly #bus: Bus
  readonly #limit: string
  readonly #waiting = new Map<string, number>()
  #isPlanned = false

  constructor(bus: Bus, limit: string, takenElsewhere: (key: string, count: number) => void) {
    this.#bus = bus
    this.#limit = limit
    bus.on('rateLimit', (said) => {
      if (said.limit === limit) for (const [key, count] of Object.entries(said.keys)) takenElsewhere(key, count)
    })
  }

  /** @param count below zero for what is given back. */
  publish(key: string, count: number): void {
    if (this.#bus.livePeers === 0 || (this.#waiting.size >= MAX_KEYS && !this.#waiting.has(key))) return
    this.#waiting.set(key, (this.#waiting.get(key) ?? 0) + count)
    if (this.#isPlanned) return
    this.#isPlanned = true
    setTimeout(() => this.#send(), GATHER_MS).unref()
  }

  #send(): void {
    this.#isPlanned = false
    const keys = Object.fromEntries([...this.#waiting].filter(([, count]) => count !== 0))
    this.#waiting.clear()
    if (Object.keys(keys).length > 0) this.#bus.publish('rateLimit', { limit: this.#limit, keys })
  }
}

/** How often one person may do one thing, as the routes use it. */
export interface RateLimit {
  take(key: string): void
  /** The same around an action that counts only where it succeeds. */
  run<T>(key: string, act: () => Promise<T>): Promise<T>
}

type Parts = Pick<Deps, 'clock' | 'bus'> & { readonly env: Pick<Env, 'RATE_LIMITS'> }

/** All rules must allow it; where rate limits are off it never refuses. @param name unique: other nodes publish under it what they took. */
export function createRateLimit({ env, clock, bus }: Parts, name: string, ...rules: readonly BucketRule[]): RateLimit {
  const bucketsOf = (rule: BucketRule, index: number) =>
    new TokenBuckets({ ...rule, clock, shared: { bus, name: index === 0 ? name : `${name} ${index}` } })
  const buckets = env.RATE_LIMITS ? rules.map(bucketsOf) : []
  const giveBack = (key: string, count = buckets.length) => {
    for (const bucket of buckets.slice(0, count)) bucket.refund(key)
  }
  const take = (key: string) => {
    for (const [index, bucket] of buckets.entries()) {
      const wait = bucket.take(key)
      if (wait === 0) continue
      // What one rule refuses does not count against the others.
      giveBack(key, index)
      throw tooMany(wait)
    }
  }
  return {
    take,
    async run(key, act) {
      take(key)
      try {
        return await act()
      } catch (error) {
        giveBack(key)
        throw error
      }
    },
  }
}
