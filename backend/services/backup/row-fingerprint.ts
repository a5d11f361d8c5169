/** Compares the rows of two tables without sorting them. */
import { crc32 } from 'node:zlib'

const LINE_BREAK = 10
/** Below 2^53, so that sums stay exact. */
const MODULUS = 2 ** 48

/** Counts rows in COPY's text format, one line each, and sums up their checksums. Two tables with the same rows have the same value. */
export class RowFingerprint {
  #rows = 0
  #sum = 0
  #rest = Buffer.alloc(0)

  add(bytes: Buffer): void {
    const text = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes])
    let start = 0
    for (let end = text.indexOf(LINE_BREAK); end >= 0; end = text.indexOf(LINE_BREAK, start)) {
      this.#sum = (this.#sum + crc32(text.subarray(start, end))) % MODULUS
      this.#rows += 1
      start = end + 1
    }
    this.#rest = Buffer.from(text.subarray(start))
  }

  get rows(): number {
    return this.#rows
  }

  get value(): string {
    return `${this.#rows} rows with the sum ${this.#sum.toString(16)}${this.#rest.length > 0 ? ' and an incomplete one' : ''}`
  }
}
