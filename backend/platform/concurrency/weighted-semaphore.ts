/** WeightedSemaphore in memory for so many bytes; who comes when it is full waits in line. */

interface Waiting {
  readonly bytes: number
  enter(): void
}

export class WeightedSemaphore {
  readonly #most: number
  readonly #waiting: Waiting[] = []
  #taken = 0

  /** @param most bytes at once. One that is larger goes in alone. */
  constructor(most: number) {
    this.#most = most
  }

  /** Does it once there is room for so many bytes; they count until it is done. */
  async run<T>(bytes: number, act: () => Promise<T>): Promise<T> {
    await new Promise<void>((resolve) => {
      this.#waiting.push({ bytes, enter: resolve })
      this.#let()
    })
    try {
      return await act()
    } finally {
      this.#taken -= bytes
      this.#let()
    }
  }

  #let(): void {
    for (let [first] = this.#waiting; first !== undefined; [first] = this.#waiting) {
      if (this.#taken > 0 && this.#taken + first.bytes > this.#most) return
      this.#waiting.shift()
      this.#taken += first.bytes
      first.enter()
    }
  }
}
