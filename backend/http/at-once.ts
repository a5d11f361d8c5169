/** How many things of one kind each person, or each address, has under way. */
export class AtOnce {
  readonly #most: number
  readonly #counts = new Map<string, number>()

  /** @param most at once, for each key. */
  constructor(most: number) {
    this.#most = most
  }

  /** Counts one more until the answered function is called, which has to happen once. Undefined where there are too many already. */
  begin(key: string): (() => void) | undefined {
    const count = this.#counts.get(key) ?? 0
    if (count >= this.#most) return undefined
    this.#counts.set(key, count + 1)
    return () => this.#end(key)
  }

  #end(key: string): void {
    const count = this.#counts.get(key) ?? 1
    if (count > 1) this.#counts.set(key, count - 1)
    else this.#counts.delete(key)
  }
}
