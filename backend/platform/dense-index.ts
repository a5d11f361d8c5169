/** Numbers servers from 0 without gaps, so that their data fits into a few long arrays. */
export class DenseIndex {
  readonly #indexes = new Map<string, number>()
  readonly #free: number[] = []
  #next = 0

  /** The server's index, a new one if it has none. */
  assign(publicId: string): number {
    let index = this.#indexes.get(publicId)
    if (index === undefined) {
      index = this.#free.pop() ?? this.#next++
      this.#indexes.set(publicId, index)
    }
    return index
  }

  get(publicId: string): number | undefined {
    return this.#indexes.get(publicId)
  }

  entries(): Iterable<[publicId: string, index: number]> {
    return this.#indexes
  }

  /** Frees the index for another server. The caller must have cleared its data. */
  release(publicId: string): void {
    const index = this.#indexes.get(publicId)
    if (index === undefined) return
    this.#indexes.delete(publicId)
    this.#free.push(index)
  }
}
