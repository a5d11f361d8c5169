/** Limits the bytes that actions hold in memory; others wait in order. Ours, as async-mutex walks once for each unit of weight. */

interface Waiting {
  readonly bytes: number
  enter(): void
}

export class WeightedSemaphore {
  readonly #max: number
  readonly #waiting: Waiting[] = []
  #taken = 0

  /** @param max bytes at once. A larger action runs alone. */
  constructor(max: number) {
    this.#max = max
  }

  /** Runs it once there is room for its bytes, which count until it is done. */
  async run<T>(bytes: number, act: () => Promise<T>): Promise<T> {
    await new Promise<void>((resolve) => {
      this.#waiting.push({ bytes, enter: resolve })
      this.#admit()
    })
    try {
      return await act()
    } finally {
      this.#taken -= bytes
      this.#admit()
    }
  }

  #admit(): void {
    for (let [first] = this.#waiting; first !== undefined; [first] = this.#waiting) {
      if (this.#taken > 0 && this.#taken + first.bytes > this.#max) return
      this.#waiting.shift()
      this.#taken += first.bytes
      first.enter()
    }
  }
}
