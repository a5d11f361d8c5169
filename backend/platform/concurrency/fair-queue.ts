/** A fair queue: the next item belongs to the key with the least usage. Many large items of one key delay other keys by one item at most. */

interface KeyQueue<T> {
  readonly items: T[]
  /** Usage of the key, plus the level at which the key started. */
  usage: number
}

export class FairQueue<T> {
  /** Keys with waiting items, with an item in progress, or with usage above the level. */
  readonly #queues = new Map<string, KeyQueue<T>>()
  /** Usage of the key served last. New keys start there, so that they neither overtake all others nor wait for all of them. */
  #level = 0
  #size = 0

  get size(): number {
    return this.#size
  }

  add(key: string, item: T): void {
    const queue = this.#queues.get(key) ?? { items: [], usage: this.#level }
    this.#queues.set(key, queue)
    if (queue.items.length === 0) queue.usage = Math.max(queue.usage, this.#level)
    queue.items.push(item)
    this.#size += 1
  }

  /** Removes and returns the next item; undefined if the queue is empty. */
  next(): T | undefined {
    let least: readonly [string, KeyQueue<T>] | undefined
    for (const [key, queue] of this.#queues) {
      if (queue.items.length > 0) {
        if (least === undefined || queue.usage < least[1].usage) least = [key, queue]
      } else if (queue.usage <= this.#level) this.#queues.delete(key)
    }
    if (least === undefined) {
      // The queue is empty: all keys start again.
      this.#queues.clear()
      this.#level = 0
      return undefined
    }
    const [key, queue] = least
    this.#level = queue.usage
    this.#size -= 1
    // Moves the key behind others with the same usage.
    this.#queues.delete(key)
    this.#queues.set(key, queue)
    return queue.items.shift()
  }

  /** Adds usage to a key, in any unit. */
  charge(key: string, amount: number): void {
    const queue = this.#queues.get(key)
    if (queue !== undefined) queue.usage += amount
  }

  /** False if the item is not in the queue. */
  remove(key: string, item: T): boolean {
    const items = this.#queues.get(key)?.items ?? []
    const at = items.indexOf(item)
    if (at === -1) return false
    items.splice(at, 1)
    this.#size -= 1
    return true
  }
}
