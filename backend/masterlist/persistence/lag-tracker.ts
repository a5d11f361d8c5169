/** Detects that the oldest pending item has waited too long, for workers that process everything pending in each round. */
import type { Clock } from '#backend/platform/clock.ts'

/** With more lag, versions of different nodes are not comparable (versions.ts). */
export const MAX_LAG_MS = 3000

export class LagTracker {
  readonly #clock: Clock
  readonly #isEmpty: () => boolean
  /** Everything from before this uptime is processed. */
  #processedUpTo: number

  constructor(clock: Clock, isEmpty: () => boolean) {
    this.#clock = clock
    this.#isEmpty = isEmpty
    this.#processedUpTo = clock.uptime()
  }

  markProcessedUpTo(uptime: number): void {
    this.#processedUpTo = Math.max(this.#processedUpTo, uptime)
  }

  /** Call in each cycle: records when nothing is pending. */
  onCycle(): void {
    if (this.#isEmpty()) this.#processedUpTo = this.#clock.uptime()
  }

  get isLagging(): boolean {
    return this.#clock.uptime() - this.#processedUpTo > MAX_LAG_MS
  }
}
