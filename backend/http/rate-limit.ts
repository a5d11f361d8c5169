/** Token buckets: a burst at once, then so many a second. In memory, bounded, for addresses, sessions and users alike. */
import type { Clock } from '#backend/clock.ts'
import { tooMany } from '#backend/errors.ts'

interface Bucket {
  tokens: number
  at: number
}

/** So many keys are remembered; past it the longest unused go, and with them what they had used up. */
const MOST_KEYS = 100_000

export interface BucketRule {
  /** How many at once. */
  readonly burst: number
  /** How many come back each second. */
  readonly perSecond: number
}

export class TokenBuckets {
  readonly #rule: BucketRule
  readonly #clock: Clock
  readonly #buckets = new Map<string, Bucket>()

  constructor({ clock, ...rule }: BucketRule & { clock: Clock }) {
    this.#rule = rule
    this.#clock = clock
  }

  /** Takes one token. Answers 0 where there was one, else after how many whole seconds there will be. */
  take(key: string): number {
    const now = this.#clock.uptime()
    const { burst, perSecond } = this.#rule
    const bucket = this.#buckets.get(key) ?? { tokens: burst, at: now }
    // Last used is last in the map's order, so the front holds what may be forgotten.
    this.#buckets.delete(key)
    this.#buckets.set(key, bucket)
    this.#forgetOne()
    bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) / 1000) * perSecond)
    bucket.at = now
    if (bucket.tokens >= 1) {
      bucket.tokens -= 1
      return 0
    }
    return Math.max(1, Math.ceil((1 - bucket.tokens) / perSecond))
  }

  /** Puts one token back, for what turned out not to count. */
  giveBack(key: string): void {
    const bucket = this.#buckets.get(key)
    if (bucket !== undefined) bucket.tokens = Math.min(this.#rule.burst, bucket.tokens + 1)
  }

  #forgetOne(): void {
    if (this.#buckets.size <= MOST_KEYS) return
    const oldest = this.#buckets.keys().next()
    if (!oldest.done) this.#buckets.delete(oldest.value)
  }
}

/** How often one person may do one thing, as the routes use it. */
export interface Limit {
  /** Throws `too-many` where it is too often. */
  take(key: string): void
  /** The same around something of which only what succeeds counts: trying costs nothing. */
  run<T>(key: string, act: () => Promise<T>): Promise<T>
}

/** A limit of one rule or several; where rate limits are off it never refuses. */
export function createLimit({ env, clock }: { env: { RATE_LIMITS: boolean }; clock: Clock }, ...rules: readonly BucketRule[]): Limit {
  const buckets = env.RATE_LIMITS ? rules.map((rule) => new TokenBuckets({ ...rule, clock })) : []
  const take = (key: string) => {
    const taken: TokenBuckets[] = []
    for (const bucket of buckets) {
      const wait = bucket.take(key)
      if (wait > 0) {
        // What one rule refuses does not count against the others.
        for (const other of taken) other.giveBack(key)
        throw tooMany(wait)
      }
      taken.push(bucket)
    }
  }
  return {
    take,
    async run(key, act) {
      take(key)
      try {
        return await act()
      } catch (error) {
        for (const bucket of buckets) bucket.giveBack(key)
        throw error
      }
    },
  }
}
