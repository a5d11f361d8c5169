/** A check that repeats in the background, so that nobody waits for what it checks. */
import type { Clock } from '#backend/platform/clock.ts'
import { withTimeout } from './with-timeout.ts'

interface Options {
  readonly everyMs: number
  /** The interval after a failed check. Default: the same. */
  readonly retryMs?: number
  readonly timeoutMs: number
}

export class RepeatedCheck<T> {
  readonly #clock: Pick<Clock, 'uptime'>
  readonly #options: Options
  readonly #check: () => Promise<T>
  #dueAt = -Infinity
  #isRunning = false
  /** What the last check found; undefined if it failed or hung. */
  value: T | undefined
  /** Whether a check has ended. */
  hasEnded = false

  constructor(clock: Pick<Clock, 'uptime'>, options: Options, check: () => Promise<T>) {
    this.#clock = clock
    this.#options = options
    this.#check = check
  }

  /** A check that hangs beyond its time limit is not started a second time. */
  runIfDue(): void {
    if (this.#isRunning || this.#clock.uptime() < this.#dueAt) return
    this.#isRunning = true
    const running = this.#check()
    void running.catch(() => undefined).finally(() => (this.#isRunning = false))
    void withTimeout(this.#options.timeoutMs, running, new Error('The check took too long.')).then(
      (value) => this.#end(value, this.#options.everyMs),
      () => this.#end(undefined, this.#options.retryMs ?? this.#options.everyMs),
    )
  }

  #end(value: T | undefined, pauseMs: number): void {
    this.value = value
    this.hasEnded = true
    this.#dueAt = this.#clock.uptime() + pauseMs
  }
}
