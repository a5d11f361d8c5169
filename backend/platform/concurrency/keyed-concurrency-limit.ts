/**
 * Idle keys are evicted in batches of at least this size. Deleting each at once makes the engine rebuild the map every few calls, and old tables
 * live until a major garbage collection: half of all garbage of a list that is read 5,000 times a second.
 */
const MIN_EVICTED = 1000

/** Limits how many actions of each key are in flight. */
export class KeyedConcurrencyLimit {
  readonly #max: number
  readonly #counts = new Map<string, number>()
  /** Idle keys are evicted once there are more keys than this. */
  #evictBeyond = MIN_EVICTED

  /** @param max per key. */
  constructor(max: number) {
    this.#max = max
  }

  /** Returns the function that releases the slot; call it once. Undefined if the key has no slot left. */
  acquire(key: string): (() => void) | undefined {
    const count = this.#counts.get(key) ?? 0
    if (count >= this.#max) return undefined
    this.#counts.set(key, count + 1)
    if (this.#counts.size > this.#evictBeyond) this.#evict()
    return () => this.#release(key)
  }

  #release(key: string): void {
    this.#counts.set(key, (this.#counts.get(key) ?? 1) - 1)
  }

  /** Doubles the threshold, so that keys in flight are not scanned too often. */
  #evict(): void {
    for (const [key, count] of this.#counts) if (count === 0) this.#counts.delete(key)
    this.#evictBeyond = Math.max(MIN_EVICTED, this.#counts.size * 2)
  }
}
