/** Runs a few actions at once; others wait in a bounded queue that no key can fill alone. */
import { KeyedConcurrencyLimit } from './keyed-concurrency-limit.ts'

interface Rule {
  readonly atOnce: number
  readonly waiting: number
  /** Of one key. */
  readonly waitingEach: number
}

export class BoundedQueue {
  readonly #rule: Rule
  readonly #each: KeyedConcurrencyLimit
  readonly #line: (() => void)[] = []
  #running = 0

  constructor(rule: Rule) {
    this.#rule = rule
    this.#each = new KeyedConcurrencyLimit(rule.waitingEach)
  }

  /** Runs it when its turn comes. Returns `too-many` where this key may not wait any more, and `full` where none may. */
  take<T>(key: string, act: () => Promise<T>): Promise<T> | 'too-many' | 'full' {
    if (this.#running < this.#rule.atOnce) {
      this.#running += 1
      return this.#run(act)
    }
    if (this.#line.length >= this.#rule.waiting) return 'full'
    const waitsNoMore = this.#each.begin(key)
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
