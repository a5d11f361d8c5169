/** Runs a few actions at once; others wait in a bounded queue that no key can fill alone. */
import { KeyedConcurrencyLimit } from './keyed-concurrency-limit.ts'

interface Rule {
  readonly concurrency: number
  readonly maxQueued: number
  /** Of one key. */
  readonly maxQueuedPerKey: number
}

export class BoundedQueue {
  readonly #rule: Rule
  readonly #each: KeyedConcurrencyLimit
  readonly #line: (() => void)[] = []
  #running = 0

  constructor(rule: Rule) {
    this.#rule = rule
    this.#each = new KeyedConcurrencyLimit(rule.maxQueuedPerKey)
  }

  /** Runs it when its turn comes. Returns `too-many` where this key may not wait any more, and `full` where none may. */
  run<T>(key: string, act: () => Promise<T>): Promise<T> | 'too-many' | 'full' {
    if (this.#running < this.#rule.concurrency) {
      this.#running += 1
      return this.#run(act)
    }
    if (this.#line.length >= this.#rule.maxQueued) return 'full'
    const waitsNoMore = this.#each.acquire(key)
    if (waitsNoMore === undefined) return 'too-many'
    return new Promise<void>((resolve) => void this.#line.push(resolve)).then(() => {
      waitsNoMore()
      return this.#run(act)
    })
  }

  async #run<T>(act: () => Promise<T>): Promise<T> {
    try {
      return await act()
    } finally {
      const next = this.#line.shift()
      if (next === undefined) this.#running -= 1
      else next()
    }
  }
}
