/** What takes long, a few at once, the rest in a line that nobody fills alone. */
import { KeyedConcurrencyLimit } from './keyed-concurrency-limit.ts'

interface Rule {
  /** Run beside each other. */
  readonly atOnce: number
  /** Wait at the most, and of one key. */
  readonly waiting: number
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

  /**
   * Runs it when its turn comes. Answers `too-many` where others of this key wait that are as many as one may have, and `full` where the
   * whole line is.
   */
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

  /** A turn that ends goes over to the next one in the line. */
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
