/**
 * Idle keys are evicted in batches of at least so many. Were each deleted at once, the engine would rebuild the map's table every few calls, and
 * the old tables would live until the next major garbage collection: half of all garbage of a list that is read 5,000 times a second.
 */
const MIN_EVICTED = 1000

/** Limits how many actions of each key are in flight. */
export class KeyedConcurrencyLimit {
  readonly #max: number
  readonly #counts = new Map<string, number>()
  /** Idle keys are evicted once there are more keys than this. */
  #evictBeyond = MIN_EVICTED

  /** @param max for each key. */
  constructor(max: number) {
    this.#max = max
  }

  /** Counts one more until the returned function is called, once. Undefined where there are too many already. */
  acquire(key: string): (() => void) | undefined {
    const count = this.#counts.get(key) ?? 0
    if (count >= this.#max) return undefined
    this.#counts.set(key, count + 1)
    if (this.#counts.size > this.#evictBeyond) this.#evict()
    return () => this.#end(key)
  }

  #end(key: string): void {
    this.#counts.set(key, (this.#counts.get(key) ?? 1) - 1)
  }

  /** The limit doubles, so that keys in flight are not walked again and again. */
  #evict(): void {
    for (const [key, count] of this.#counts) if (count === 0) this.#counts.delete(key)
    this.#evictBeyond = Math.max(MIN_EVICTED, this.#counts.size * 2)
  }
}
