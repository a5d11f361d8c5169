/** A text that grows in a buffer, and values that are copied from one to the next. */

/** UTF-8 takes no more for a unit of UTF-16. */
export const MOST_BYTES_OF_A_UNIT = 3

export const COMMA = 0x2c

/** A text that grows. */
export class Writing {
  #bytes: Buffer
  at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  byte(value: number): void {
    this.#makeRoom(1)
    this.#bytes[this.at] = value
    this.at += 1
  }

  text(text: string): void {
    this.#makeRoom(text.length * MOST_BYTES_OF_A_UNIT)
    this.at += this.#bytes.write(text, this.at)
  }

  copy(from: Buffer, begin: number, end: number): void {
    this.#makeRoom(end - begin)
    this.at += from.copy(this.#bytes, this.at, begin, end)
  }

  written(): Buffer {
    return this.#bytes.subarray(0, this.at)
  }

  /** The whole buffer, for the next text. */
  get buffer(): Buffer {
    return this.#bytes
  }

  #makeRoom(bytes: number): void {
    if (this.at + bytes <= this.#bytes.length) return
    const larger = Buffer.allocUnsafe(Math.ceil((this.at + bytes) * 1.25))
    this.#bytes.copy(larger, 0, 0, this.at)
    this.#bytes = larger
  }
}
