/** The pictures that are asked for most, in memory, so that a banner that everybody sees is read once. */

const MOST_BYTES = 16 * 1024 * 1024
/** Larger ones are rare, and a handful of them would push all others out. */
export const MOST_FILE_BYTES = 512 * 1024

export class HotFiles {
  /** Last used is last in the map's order. */
  readonly #files = new Map<string, Buffer>()
  #bytes = 0

  get(file: string): Buffer | undefined {
    const found = this.#files.get(file)
    if (found !== undefined) {
      this.#files.delete(file)
      this.#files.set(file, found)
    }
    return found
  }

  /** Remembers one of at most `MOST_FILE_BYTES`; those unused for longest go where it gets too much. */
  set(file: string, bytes: Buffer): void {
    if (this.#files.has(file)) return
    this.#files.set(file, bytes)
    this.#bytes += bytes.length
    for (const [oldest, { length }] of this.#files) {
      if (this.#bytes <= MOST_BYTES) return
      this.#files.delete(oldest)
      this.#bytes -= length
    }
  }
}
