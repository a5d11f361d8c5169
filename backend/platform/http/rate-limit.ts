/**
 * Token buckets: a burst at once, then so many a second. In memory, bounded, for addresses, sessions and users alike. With several nodes
 * each decides by itself, at once, and says what was taken, which the others take from theirs: who alternates between nodes has no more
 * than who stays at one, but for what is on its way. Of a bucket that was full nothing is said before the next one is taken: who is
 * far from his limit, which is nearly everybody, costs no message.
 */
import type { Clock } from '#backend/platform/clock.ts'
import type { Bus } from '#backend/platform/cluster/bus.ts'
import { tooMany } from '#backend/platform/errors.ts'

interface Bucket {
  tokens: number
  at: number
  /** What was taken from it while it was full, and not said. */
  unsaid: number
}

/**
 * So many keys that were used last are remembered, and up to as many before them; these go together, and with them what they had used
 * up. Were keys taken out and put back with each use, the engine would make the map's table anew again and again, and in an old map each
 * of these lives until the next sweep of everything.
 */
const LAST_KEYS = 100_000
/** What is taken within this time is said together. */
const GATHER_MS = 5
/** Keys that are said together; past it what is taken is not said, and each node counts by itself. */
const MOST_SAID = 1000

export interface BucketRule {
  /** How many at once. */
  readonly burst: number
  /** How many come back each second. */
  readonly perSecond: number
}

interface Options extends BucketRule {
  readonly clock: Clock
  /** Counted over all nodes together, by this name. Left out for what is a process's own affair. */
  readonly shared?: { readonly bus: Bus; readonly name: string } | undefined
}

export class TokenBuckets {
  readonly #rule: BucketRule
  readonly #clock: Clock
  /** Of the keys that were used last, and of those that were before them. */
  #recent = new Map<string, Bucket>()
  #earlier: ReadonlyMap<string, Bucket> = new Map()
  readonly #shared: SharedTaking | undefined

  constructor({ clock, shared, ...rule }: Options) {
    this.#rule = rule
    this.#clock = clock
    this.#shared = shared && new SharedTaking(shared.bus, shared.name, (key, count) => this.#takenElsewhere(key, count))
  }

  /** Takes one token. Answers 0 where there was one, else after how many whole seconds there will be. */
  take(key: string): number {
    const { burst, perSecond } = this.#rule
    const bucket = this.#bucketOf(key)
    if (bucket.tokens < 1) return Math.max(1, Math.ceil((1 - bucket.tokens) / perSecond))
    const wasFull = bucket.tokens >= burst
    bucket.tokens -= 1
    if (this.#shared === undefined) return 0
    if (wasFull) bucket.unsaid = 1
    else {
      this.#shared.say(key, bucket.unsaid + 1)
      bucket.unsaid = 0
    }
    return 0
  }

  /** Puts one token back, for what turned out not to count. */
  giveBack(key: string): void {
    const bucket = this.#known(key)
    if (bucket === undefined) return
    bucket.tokens = Math.min(this.#rule.burst, bucket.tokens + 1)
    if (bucket.unsaid > 0) bucket.unsaid = 0
    else this.#shared?.say(key, -1)
  }

  /** Down to some debt: what is on its way from many nodes is paid for later, but nobody waits for days where little comes back in a day. */
  #takenElsewhere(key: string, count: number): void {
    const bucket = this.#bucketOf(key)
    const { burst } = this.#rule
    bucket.tokens = Math.min(burst, Math.max(-mostDebt(burst), bucket.tokens - count))
  }

  /** As full as it is now. */
  #bucketOf(key: string): Bucket {
    const now = this.#clock.uptime()
    const { burst, perSecond } = this.#rule
    const bucket = this.#known(key) ?? { tokens: burst, at: now, unsaid: 0 }
    this.#remember(key, bucket)
    bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) / 1000) * perSecond)
    bucket.at = now
    return bucket
  }

  #known(key: string): Bucket | undefined {
    return this.#recent.get(key) ?? this.#earlier.get(key)
  }

  #remember(key: string, bucket: Bucket): void {
    if (this.#recent.has(key)) return
    if (this.#recent.size >= LAST_KEYS) {
      this.#earlier = this.#recent
      this.#recent = new Map()
    }
    this.#recent.set(key, bucket)
  }
}

/** How far below zero others may take a bucket of this burst. */
export function mostDebt(burst: number): number {
  return Math.max(1, burst / 4)
}

/** What is taken from one kind of limit, to and from the other nodes. */
export class SharedTaking {
  readonly #bus: Bus
  readonly #limit: string
  readonly #waiting = new Map<string, number>()
  #isPlanned = false

  /** @param takenElsewhere what another node says, by key and how many. */
  constructor(bus: Bus, limit: string, takenElsewhere: (key: string, count: number) => void) {
    this.#bus = bus
    this.#limit = limit
    bus.on('taken', (said) => {
      if (said.limit === limit) for (const [key, count] of Object.entries(said.keys)) takenElsewhere(key, count)
    })
  }

  /** @param count below zero for what is given back. */
  say(key: string, count: number): void {
    if (this.#bus.others === 0 || (this.#waiting.size >= MOST_SAID && !this.#waiting.has(key))) return
    this.#waiting.set(key, (this.#waiting.get(key) ?? 0) + count)
    if (this.#isPlanned) return
    this.#isPlanned = true
    setTimeout(() => this.#send(), GATHER_MS).unref()
  }

  #send(): void {
    this.#isPlanned = false
    const keys = Object.fromEntries([...this.#waiting].filter(([, count]) => count !== 0))
    this.#waiting.clear()
    if (Object.keys(keys).length > 0) this.#bus.say('taken', { limit: this.#limit, keys })
  }
}

/** How often one person may do one thing, as the routes use it. */
export interface Limit {
  /** Throws `too-many` where it is too often. */
  take(key: string): void
  /** The same around something of which only what succeeds counts: trying costs nothing. */
  run<T>(key: string, act: () => Promise<T>): Promise<T>
}

interface Parts {
  readonly env: { readonly RATE_LIMITS: boolean }
  readonly clock: Clock
  readonly bus: Bus
}

/** A limit of one rule or several; where rate limits are off it never refuses. @param name is nobody else's: what is taken on other nodes comes under it. */
export function createLimit({ env, clock, bus }: Parts, name: string, ...rules: readonly BucketRule[]): Limit {
  const bucketsOf = (rule: BucketRule, index: number) =>
    new TokenBuckets({ ...rule, clock, shared: { bus, name: index === 0 ? name : `${name} ${index}` } })
  const buckets = env.RATE_LIMITS ? rules.map(bucketsOf) : []
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
