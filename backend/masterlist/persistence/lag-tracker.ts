/** Whether the oldest pending item has waited too long, where each round takes everything pending. */
import type { Clock } from '#backend/platform/clock.ts'

/** Beyond, versions of different nodes can't be compared (lists/versions.ts). */
export const MAX_LAG_MS = 3000

export class LagTracker {
  readonly #clock: Clock
  readonly #isEmpty: () => boolean
  /** Everything from before this uptime is done. */
  #doneUpTo: number

  constructor(clock: Clock, isEmpty: () => boolean) {
    this.#clock = clock
    this.#isEmpty = isEmpty
    this.#doneUpTo = clock.uptime()
  }

  caughtUpTo(began: number): void {
    this.#doneUpTo = Math.max(this.#doneUpTo, began)
  }

  /** Call with each beat, because it records when nothing was pending. */
  isLagging(): boolean {
    const uptime = this.#clock.uptime()
    if (this.#isEmpty()) this.#doneUpTo = uptime
    return uptime - this.#doneUpTo > MAX_LAG_MS
  }
}
