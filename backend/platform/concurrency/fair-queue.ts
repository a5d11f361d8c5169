/** A queue by keys: the key for which the least was done is next. Many large items of one key delay others by no more than one of them. */

interface Line<T> {
  readonly waiting: T[]
  /** How much was done for the key, on top of the level at which it began. */
  done: number
}

export class FairQueue<T> {
  /** Keys that wait, are served, or had more than others lately. */
  readonly #lines = new Map<string, Line<T>>()
  /** What had been done for the last key that was served. New keys begin there, so that they neither always overtake nor wait for all others. */
  #level = 0
  #size = 0

  get size(): number {
    return this.#size
  }

  add(key: string, item: T): void {
    const line = this.#lines.get(key) ?? { waiting: [], done: this.#level }
    this.#lines.set(key, line)
    if (line.waiting.length === 0) line.done = Math.max(line.done, this.#level)
    line.waiting.push(item)
    this.#size += 1
  }

  /** Removes and returns the next item; undefined where nothing waits. */
  next(): T | undefined {
    let least: readonly [string, Line<T>] | undefined
    for (const [key, line] of this.#lines) {
      if (line.waiting.length > 0) {
        if (least === undefined || line.done < least[1].done) least = [key, line]
      } else if (line.done <= this.#level) this.#lines.delete(key)
    }
    if (least === undefined) {
      // Nothing waited: all keys begin again.
      this.#lines.clear()
      this.#level = 0
      return undefined
    }
    const [key, line] = least
    this.#level = line.done
    this.#size -= 1
    // Behind others with the same level from now on.
    this.#lines.delete(key)
    this.#lines.set(key, line)
    return line.waiting.shift()
  }

  /** Counts what was done for the key, in any unit. */
  charge(key: string, amount: number): void {
    const line = this.#lines.get(key)
    if (line !== undefined) line.done += amount
  }

  /** False where the item does not wait. */
  remove(key: string, item: T): boolean {
    const waiting = this.#lines.get(key)?.waiting ?? []
    const at = waiting.indexOf(item)
    if (at === -1) return false
    waiting.splice(at, 1)
    this.#size -= 1
    return true
  }
}
