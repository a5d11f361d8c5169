/** How long the oldest of what waits has waited, where it is done in rounds and each takes everything that came before it. */
import type { Clock } from '#backend/clock.ts'

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

  /** In milliseconds; asked with each beat, for it remembers when nothing waited. */
  waited(): number {
    const uptime = this.#clock.uptime()
    if (this.#isEmpty()) this.#doneUpTo = uptime
    return uptime - this.#doneUpTo
  }
}
