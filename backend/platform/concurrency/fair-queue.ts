/** Whose turn it is: of all who wait, the one for whom the least was done. Many large things of one person hold nobody else up for more than one of them. */

interface Line<T> {
  readonly waiting: T[]
  /** How much was done for him, on top of what had been done for those who waited already when he came. */
  done: number
}

export class FairQueue<T> {
  /** Those who wait, whose turn it is, or for whom so much was done that they would come late if they came again. */
  readonly #lines = new Map<string, Line<T>>()
  /** What had been done for the last one whose turn it was: newcomers begin there, so that they neither overtake for ever nor wait for all others. */
  #level = 0
  #size = 0

  /** How many things wait. */
  get size(): number {
    return this.#size
  }

  /** @param key whose it is. */
  add(key: string, one: T): void {
    const line = this.#lines.get(key) ?? { waiting: [], done: this.#level }
    this.#lines.set(key, line)
    if (line.waiting.length === 0) line.done = Math.max(line.done, this.#level)
    line.waiting.push(one)
    this.#size += 1
  }

  /** Takes the next one out; undefined where nothing waits. */
  next(): T | undefined {
    let least: readonly [string, Line<T>] | undefined
    for (const [key, line] of this.#lines) {
      if (line.waiting.length > 0) {
        if (least === undefined || line.done < least[1].done) least = [key, line]
      } else if (line.done <= this.#level) this.#lines.delete(key)
    }
    if (least === undefined) {
      // Nobody was kept waiting: all begin anew.
      this.#lines.clear()
      this.#level = 0
      return undefined
    }
    const [key, line] = least
    this.#level = line.done
    this.#size -= 1
    // Of several with the same, he is the last from now on.
    this.#lines.delete(key)
    this.#lines.set(key, line)
    return line.waiting.shift()
  }

  /** So much was done for him, in whatever unit. */
  count(key: string, amount: number): void {
    const line = this.#lines.get(key)
    if (line !== undefined) line.done += amount
  }

  /** Takes one out that need not be done any more. False where it does not wait. */
  remove(key: string, one: T): boolean {
    const waiting = this.#lines.get(key)?.waiting ?? []
    const at = waiting.indexOf(one)
    if (at === -1) return false
    waiting.splice(at, 1)
    this.#size -= 1
    return true
  }
}
