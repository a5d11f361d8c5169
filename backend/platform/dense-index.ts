/** Numbers servers from 0, so that data of all of them fits into a few long arrays. */
export class DenseIndex {
  readonly #places = new Map<string, number>()
  readonly #free: number[] = []
  #next = 0

  /** The server's place; gives it one if needed. */
  assign(publicId: string): number {
    let place = this.#places.get(publicId)
    if (place === undefined) {
      place = this.#free.pop() ?? this.#next++
      this.#places.set(publicId, place)
    }
    return place
  }

  get(publicId: string): number | undefined {
    return this.#places.get(publicId)
  }

  entries(): Iterable<[publicId: string, place: number]> {
    return this.#places
  }

  /** Frees the place for another server; no data may be left in it. */
  release(publicId: string): void {
    const place = this.#places.get(publicId)
    if (place === undefined) return
    this.#places.delete(publicId)
    this.#free.push(place)
  }
}
