/** The minutes of one hour of many servers, by place: 120 bytes a server. */
import { MINUTES_OF_HOUR } from './time.ts'

const ROWS_PER_SLAB = 1024
/** The first minute of a place without a row. */
const NO_ROW = -3

export class HourRows {
  readonly #slabs: (Int16Array | undefined)[] = []

  has(place: number): boolean {
    return (this.#slabs[Math.floor(place / ROWS_PER_SLAB)]?.[startIn(place)] ?? NO_ROW) !== NO_ROW
  }

  /** The row itself, not a copy. */
  of(place: number): Int16Array | undefined {
    return this.has(place) ? this.#slabOf(place).subarray(startIn(place), startIn(place) + MINUTES_OF_HOUR) : undefined
  }

  put(place: number, counts: ArrayLike<number>): void {
    this.#slabOf(place).set(counts, startIn(place))
  }

  set(place: number, minute: number, count: number): void {
    this.#slabOf(place)[startIn(place) + minute] = count
  }

  delete(place: number): void {
    if (this.has(place)) this.set(place, 0, NO_ROW)
  }

  #slabOf(place: number): Int16Array {
    return (this.#slabs[Math.floor(place / ROWS_PER_SLAB)] ??= new Int16Array(ROWS_PER_SLAB * MINUTES_OF_HOUR).fill(NO_ROW))
  }
}

function startIn(place: number): number {
  return (place % ROWS_PER_SLAB) * MINUTES_OF_HOUR
}
