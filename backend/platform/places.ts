/** A small number for each server, so that what is kept of all of them lies in a few long arrays and not in an object each. */
export class Places {
  readonly #places = new Map<string, number>()
  readonly #free: number[] = []
  #next = 0

  /** The server's place; it is given one where it has none. */
  of(publicId: string): number {
    let place = this.#places.get(publicId)
    if (place === undefined) {
      place = this.#free.pop() ?? this.#next++
      this.#places.set(publicId, place)
    }
    return place
  }

  known(publicId: string): number | undefined {
    return this.#places.get(publicId)
  }

  all(): Iterable<[publicId: string, place: number]> {
    return this.#places
  }

  /** The next server may have it: whoever kept something by this place has forgotten it. */
  giveBack(publicId: string): void {
    const place = this.#places.get(publicId)
    if (place === undefined) return
    this.#places.delete(publicId)
    this.#free.push(place)
  }
}
