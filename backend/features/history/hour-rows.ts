/** The minutes of one hour of many servers, by place: 120 bytes a server and one that says whether it has a row. */
import { MINUTES_OF_HOUR } from './time.ts'

const ROWS_IN_A_SLAB = 1024

interface Slab {
  readonly counts: Int16Array
  readonly isKept: Uint8Array
}

export class HourRows {
  readonly #slabs: (Slab | undefined)[] = []

  has(place: number): boolean {
    return this.#slabs[Math.floor(place / ROWS_IN_A_SLAB)]?.isKept[place % ROWS_IN_A_SLAB] === 1
  }

  /** The row itself, not a copy. */
  of(place: number): Int16Array | undefined {
    const from = (place % ROWS_IN_A_SLAB) * MINUTES_OF_HOUR
    return this.has(place) ? this.#slabOf(place).counts.subarray(from, from + MINUTES_OF_HOUR) : undefined
  }

  put(place: number, counts: ArrayLike<number>): void {
    const slab = this.#slabOf(place)
    slab.counts.set(counts, (place % ROWS_IN_A_SLAB) * MINUTES_OF_HOUR)
    slab.isKept[place % ROWS_IN_A_SLAB] = 1
  }

  /** One minute of a row that is there. */
  set(place: number, minute: number, count: number): void {
    this.#slabOf(place).counts[(place % ROWS_IN_A_SLAB) * MINUTES_OF_HOUR + minute] = count
  }

  delete(place: number): void {
    if (this.has(place)) this.#slabOf(place).isKept[place % ROWS_IN_A_SLAB] = 0
  }

  #slabOf(place: number): Slab {
    const index = Math.floor(place / ROWS_IN_A_SLAB)
    return (this.#slabs[index] ??= {
      counts: new Int16Array(ROWS_IN_A_SLAB * MINUTES_OF_HOUR),
      isKept: new Uint8Array(ROWS_IN_A_SLAB),
    })
  }
}
