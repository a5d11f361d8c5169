/**
 * Sends due deliveries, on every node. A claim in the database lets one node at a time send for a webhook, one delivery after the other, so
 * a slow receiver delays only itself.
 */
import type { Db } from '#backend/platform/database/open.ts'
import { type Pending, claimDeliveries } from './deliveries.queries.ts'

/** Attempts at once on this node. They mostly wait for other hosts. */
const MAX_ATTEMPTS = 64
/** Of webhooks whose last attempt failed, so that their timeouts leave room for the others. */
const MAX_FAILING = 24

export class DeliveryQueue {
  readonly #db: Db
  readonly #attempt: (pending: Pending) => Promise<void>
  readonly #inFlight = new Map<Pending, Promise<void>>()
  #claiming: Promise<void> | undefined
  #isAskedAgain = false
  #isStopped = false

  /** @param attempt sends a delivery and ends its claim. It never rejects. */
  constructor(db: Db, attempt: (pending: Pending) => Promise<void>) {
    this.#db = db
    this.#attempt = attempt
  }

  /** Begins to send what is due: after a commit that added deliveries, after an attempt, and by a job each second for retries. */
  sendDue(): Promise<void> {
    this.#isAskedAgain = true
    this.#claiming ??= this.#claim()
    return this.#claiming
  }

  /** Waits for the attempts that are running. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#claiming?.catch(() => undefined)
    await Promise.all(this.#inFlight.values())
  }

  async #claim(): Promise<void> {
    try {
      while (this.#isAskedAgain && !this.#isStopped) {
        this.#isAskedAgain = false
        for (const isFailing of [false, true])
          for (const pending of await claimDeliveries(this.#db, isFailing, this.#countFree(isFailing))) this.#start(pending)
      }
    } finally {
      this.#claiming = undefined
    }
  }

  #countFree(isFailing: boolean): number {
    const free = MAX_ATTEMPTS - this.#inFlight.size
    if (!isFailing) return free
    return Math.min(free, MAX_FAILING - [...this.#inFlight.keys()].filter((pending) => pending.failing_since !== null).length)
  }

  #start(pending: Pending): void {
    const attempt = this.#attempt(pending).then(() => {
      this.#inFlight.delete(pending)
      // The job repeats a failed claim.
      void this.sendDue().catch(() => undefined)
    })
    this.#inFlight.set(pending, attempt)
  }
}
