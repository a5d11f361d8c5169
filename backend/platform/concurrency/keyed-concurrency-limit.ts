/** Limits how many actions of each key are in flight. */
export class KeyedConcurrencyLimit {
  readonly #max: number
  readonly #counts = new Map<string, number>()

  /** @param max per key. */
  constructor(max: number) {
    this.#max = max
  }

  /** Returns the function that releases the slot; call it once. Undefined if the key has no slot left. */
  acquire(key: string): (() => void) | undefined {
    const count = this.#counts.get(key) ?? 0
    if (count >= this.#max) return undefined
    this.#counts.set(key, count + 1)
    return () => this.#release(key)
  }

  #release(key: string): void {
    const count = (this.#counts.get(key) ?? 1) - 1
    if (count === 0) this.#counts.delete(key)
    else this.#counts.set(key, count)
  }
}
