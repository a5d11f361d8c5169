/**
 * Of whom nothing is under way any more is remembered until they are so many. Were each taken out at once, the engine would make the map's
 * table anew every few calls, and as each old one refers to the next, all of them would live until the next sweep of everything: more
 * than half of what a list that is read 5,000 times a second left to it.
 */
const LEAST_FORGOTTEN = 1000

/** How many things of one kind each person, or each address, has under way. */
export class KeyedConcurrencyLimit {
  readonly #most: number
  readonly #counts = new Map<string, number>()
  /** Those of whom nothing is under way are forgotten once there are more keys than that. */
  #forgottenBeyond = LEAST_FORGOTTEN

  /** @param most at once, for each key. */
  constructor(most: number) {
    this.#most = most
  }

  /** Counts one more until the answered function is called, which has to happen once. Undefined where there are too many already. */
  begin(key: string): (() => void) | undefined {
    const count = this.#counts.get(key) ?? 0
    if (count >= this.#most) return undefined
    this.#counts.set(key, count + 1)
    if (this.#counts.size > this.#forgottenBeyond) this.#forget()
    return () => this.#end(key)
  }

  #end(key: string): void {
    this.#counts.set(key, (this.#counts.get(key) ?? 1) - 1)
  }

  /** Twice as many have to come before the next time, so that nobody pays for all who are under way. */
  #forget(): void {
    for (const [key, count] of this.#counts) if (count === 0) this.#counts.delete(key)
    this.#forgottenBeyond = Math.max(LEAST_FORGOTTEN, this.#counts.size * 2)
  }
}
