/** Limits how many bytes actions hold in memory; others wait in order. Our own, because async-mutex loops once per unit of weight. */

interface Waiter {
  readonly bytes: number
  start(): void
}

export class WeightedSemaphore {
  readonly #max: number
  readonly #waiters: Waiter[] = []
  #bytesInUse = 0

  /** @param max bytes in use at once. A larger action runs alone. */
  constructor(max: number) {
    this.#max = max
  }

  /** Runs the action once its bytes fit. They count until it settles. */
  async run<T>(bytes: number, act: () => Promise<T>): Promise<T> {
    await new Promise<void>((resolve) => {
      this.#waiters.push({ bytes, start: resolve })
      this.#startWaiters()
    })
    try {
      return await act()
    } finally {
      this.#bytesInUse -= bytes
      this.#startWaiters()
    }
  }

  #startWaiters(): void {
    for (let [first] = this.#waiters; first !== undefined; [first] = this.#waiters) {
      if (this.#bytesInUse > 0 && this.#bytesInUse + first.bytes > this.#max) return
      this.#waiters.shift()
      this.#bytesInUse += first.bytes
      first.start()
    }
  }
}
