import type { Deps } from './deps.ts'
import { RECOVERED } from '#backend/platform/outage-log.ts'

const RETRY_AFTER_MS = 60_000

/** Runs work by id. An id whose work failed is postponed for a minute, so that the others don't wait for it. */
export class RetryLater {
  readonly #deps: Pick<Deps, 'clock' | 'log'>
  readonly #until = new Map<string, number>()
  readonly #failing = new Set<string>()

  constructor(deps: Pick<Deps, 'clock' | 'log'>) {
    this.#deps = deps
  }

  get postponed(): string[] {
    for (const [id, until] of this.#until) if (this.#deps.clock.uptime() >= until) this.#until.delete(id)
    return [...this.#until.keys()]
  }

  /** Never rejects. @param failure the log message. @param success the one of the first success after a failure. */
  async run(id: string, act: () => Promise<unknown>, failure: string, success: string): Promise<void> {
    try {
      await act()
      if (this.#failing.delete(id)) this.#deps.log.warn({ id, ...RECOVERED }, success)
    } catch (error) {
      this.#until.set(id, this.#deps.clock.uptime() + RETRY_AFTER_MS)
      this.#failing.add(id)
      this.#deps.log.warn({ err: error, id }, failure)
    }
  }
}
