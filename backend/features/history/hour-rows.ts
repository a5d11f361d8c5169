/** The minutes of one hour of many servers, by dense index: 120 bytes per server. */
import { MINUTES_OF_HOUR } from './time.ts'

const ROWS_PER_SLAB = 1024
/** First minute of an index without a row. */
const NO_ROW = -3

export class HourRows {
  readonly #slabs: (Int16Array | undefined)[] = []

  has(index: number): boolean {
    return (this.#slabs[Math.floor(index / ROWS_PER_SLAB)]?.[startIn(index)] ?? NO_ROW) !== NO_ROW
  }

  /** The row itself, not a copy. */
  of(index: number): Int16Array | undefined {
    return this.has(index) ? this.#slabOf(index).subarray(startIn(index), startIn(index) + MINUTES_OF_HOUR) : undefined
  }

  put(index: number, counts: ArrayLike<number>): void {
    this.#slabOf(index).set(counts, startIn(index))
  }

  set(index: number, minute: number, count: number): void {
    this.#slabOf(index)[startIn(index) + minute] = count
  }

  delete(index: number): void {
    if (this.has(index)) this.set(index, 0, NO_ROW)
  }

  #slabOf(index: number): Int16Array {
    return (this.#slabs[Math.floor(index / ROWS_PER_SLAB)] ??= new Int16Array(ROWS_PER_SLAB * MINUTES_OF_HOUR).fill(NO_ROW))
  }
}

function startIn(index: number): number {
  return (index % ROWS_PER_SLAB) * MINUTES_OF_HOUR
}
