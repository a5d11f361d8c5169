import type { Clock } from './clock.ts'
import type { Log } from './log.ts'

const RETRY_AFTER_MS = 60_000

/** Runs work per id. An id whose work failed is left out for a minute, so that the others don't wait for it. */
export class RetryLater {
  readonly #deps: { readonly clock: Clock; readonly log: Log }
  readonly #until = new Map<string, number>()

  constructor(deps: { readonly clock: Clock; readonly log: Log }) {
    this.#deps = deps
  }

  /** The ids that are left out now. */
  get postponed(): string[] {
    for (const [id, until] of this.#until) if (this.#deps.clock.uptime() >= until) this.#until.delete(id)
    return [...this.#until.keys()]
  }

  /** Never rejects. @param failure the log's message where it fails. */
  async run(id: string, act: () => Promise<unknown>, failure: string): Promise<void> {
    try {
      await act()
    } catch (error) {
      this.#until.set(id, this.#deps.clock.uptime() + RETRY_AFTER_MS)
      this.#deps.log.warn({ err: error, id }, failure)
    }
  }
}
