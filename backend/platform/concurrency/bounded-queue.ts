/** Limits concurrency. Further actions wait in a bounded queue in which keys take turns, so no key delays the others by more than one action. */

interface Limits {
  readonly concurrency: number
  readonly maxQueued?: number
  readonly maxQueuedPerKey?: number
}

export class BoundedQueue {
  readonly #limits: Required<Limits>
  /** Waiting actions of each key, in the order of their turns. */
  readonly #queues = new Map<string, (() => void)[]>()
  #queued = 0
  #running = 0

  constructor({ concurrency, maxQueued = Infinity, maxQueuedPerKey = Infinity }: Limits) {
    this.#limits = { concurrency, maxQueued, maxQueuedPerKey }
  }

  /** Runs the action, now or later. Returns `too-many` if this key may not queue more, `full` if no key may. */
  run<T>(key: string, act: () => Promise<T>): Promise<T> | 'too-many' | 'full' {
    if (this.#running < this.#limits.concurrency) {
      this.#running += 1
      return this.#run(act)
    }
    if (this.#queued >= this.#limits.maxQueued) return 'full'
    const queue = this.#queues.get(key) ?? []
    if (queue.length >= this.#limits.maxQueuedPerKey) return 'too-many'
    const { promise: turn, resolve: start } = Promise.withResolvers<void>()
    queue.push(start)
    this.#queues.set(key, queue)
    this.#queued += 1
    return turn.then(() => this.#run(act))
  }

  async #run<T>(act: () => Promise<T>): Promise<T> {
    try {
      return await act()
    } finally {
      const start = this.#next()
      if (start === undefined) this.#running -= 1
      else start()
    }
  }

  #next(): (() => void) | undefined {
    for (const [key, queue] of this.#queues) {
      const start = queue.shift()
      this.#queues.delete(key)
      // Behind all other keys.
      if (queue.length > 0) this.#queues.set(key, queue)
      this.#queued -= 1
      return start
    }
    return undefined
  }
}
