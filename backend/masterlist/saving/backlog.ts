/** Whether the oldest of what waits has waited long, where it is done in rounds and each takes everything that came before it. */
import type { Clock } from '#backend/platform/clock.ts'

/** What waits longer, other nodes may have shown, or not know, too long for versions to be compared (lists/versions.ts). */
export const LATE_MS = 3000

export class Backlog {
  readonly #clock: Clock
  readonly #isEmpty: () => boolean
  /** The uptime up to which everything that came is done. */
  #doneUpTo: number

  /** @param isEmpty whether nothing waits and no round is under way. */
  constructor(clock: Clock, isEmpty: () => boolean) {
    this.#clock = clock
    this.#isEmpty = isEmpty
    this.#doneUpTo = clock.uptime()
  }

  /** A round that began then is done. */
  done(began: number): void {
    this.#doneUpTo = Math.max(this.#doneUpTo, began)
  }

  /** To be asked with each beat, for it remembers when nothing waited. */
  isLate(): boolean {
    const uptime = this.#clock.uptime()
    if (this.#isEmpty()) this.#doneUpTo = uptime
    return uptime - this.#doneUpTo > LATE_MS
  }
}
