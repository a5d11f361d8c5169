/** Limits concurrency: further actions wait in a bounded queue that no single key can fill. */
import { KeyedConcurrencyLimit } from './keyed-concurrency-limit.ts'

interface Limits {
  readonly concurrency: number
  readonly maxQueued: number
  readonly maxQueuedPerKey: number
}

export class BoundedQueue {
  readonly #limits: Limits
  readonly #queuedPerKey: KeyedConcurrencyLimit
  readonly #queue: (() => void)[] = []
  #running = 0

  constructor(limits: Limits) {
    this.#limits = limits
    this.#queuedPerKey = new KeyedConcurrencyLimit(limits.maxQueuedPerKey)
  }

  /** Runs the action, now or later. Returns `too-many` if this key may not queue more, `full` if no key may. */
  run<T>(key: string, act: () => Promise<T>): Promise<T> | 'too-many' | 'full' {
    if (this.#running < this.#limits.concurrency) {
      this.#running += 1
      return this.#run(act)
    }
    if (this.#queue.length >= this.#limits.maxQueued) return 'full'
    const release = this.#queuedPerKey.acquire(key)
    if (release === undefined) return 'too-many'
    return new Promise<void>((resolve) => void this.#queue.push(resolve)).then(() => {
      release()
      return this.#run(act)
    })
  }

  async #run<T>(act: () => Promise<T>): Promise<T> {
    try {
      return await act()
    } finally {
      const next = this.#queue.shift()
      if (next === undefined) this.#running -= 1
      else next()
    }
  }
}
