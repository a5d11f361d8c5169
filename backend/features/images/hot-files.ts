/** The pictures that are asked for most, in memory, so that a banner that everybody sees is read once. */
import type { Clock } from '#backend/platform/clock.ts'

const MOST_BYTES = 16 * 1024 * 1024
/** Larger ones are rare, and a handful of them would push all others out. */
export const MOST_FILE_BYTES = 512 * 1024
/** What another node deleted is gone from here by then. */
const MOST_AGE_MS = 5 * 60_000

interface HotFile {
  readonly bytes: Buffer
  readonly since: number
}

export class HotFiles {
  readonly #clock: Pick<Clock, 'uptime'>
  /** Last used is last in the map's order. */
  readonly #files = new Map<string, HotFile>()
  #bytes = 0

  constructor(clock: Pick<Clock, 'uptime'>) {
    this.#clock = clock
  }

  get(file: string): Buffer | undefined {
    const found = this.#files.get(file)
    if (found === undefined) return undefined
    if (this.#clock.uptime() - found.since >= MOST_AGE_MS) {
      this.forget(file)
      return undefined
    }
    this.#files.delete(file)
    this.#files.set(file, found)
    return found.bytes
  }

  /** Remembers one of at most `MOST_FILE_BYTES` for some minutes; those unused for longest go where it gets too much. */
  set(file: string, bytes: Buffer): void {
    this.forget(file)
    this.#files.set(file, { bytes, since: this.#clock.uptime() })
    this.#bytes += bytes.length
    for (const oldest of this.#files.keys()) {
      if (this.#bytes <= MOST_BYTES) return
      this.forget(oldest)
    }
  }

  /** For a file that was deleted. */
  forget(file: string): void {
    this.#bytes -= this.#files.get(file)?.bytes.length ?? 0
    this.#files.delete(file)
  }
}
