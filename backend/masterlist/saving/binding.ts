/**
 * Binds a credential to the address of its first announce. The database decides, so that two nodes (or two announces at once) never
 * bind one credential to two addresses; many first announces share one statement.
 */
import type { Clock } from '#backend/platform/clock.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { bindCredentials } from './masterlist.writes.ts'

/** After this long the game server is told to come again rather than kept waiting. */
const PATIENCE_MS = 3000
const MOST_IN_ONE_BATCH = 500

/** The address that stands, `gone` where the credential works no more, or `unavailable` where the database did not answer in time. */
export type Bound = { readonly address: string } | 'gone' | 'unavailable'

interface Waiting {
  readonly credentialId: string
  readonly address: string
  readonly answer: (bound: Bound) => void
}

export class Binder {
  readonly #db: Db
  readonly #clock: Clock
  readonly #waiting = new Map<string, Waiting[]>()
  #isBusy = false

  constructor(db: Db, clock: Clock) {
    this.#db = db
    this.#clock = clock
  }

  /** Answers the address that the credential is bound to, which is `address` where it was bound to none. */
  bind(credentialId: string, address: string): Promise<Bound> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, PATIENCE_MS, 'unavailable' as const)
      const answer = (bound: Bound) => {
        clearTimeout(timer)
        resolve(bound)
      }
      const waiting = this.#waiting.get(credentialId)
      if (waiting === undefined) this.#waiting.set(credentialId, [{ credentialId, address, answer }])
      else waiting.push({ credentialId, address, answer })
      if (!this.#isBusy) void this.#work()
    })
  }

  async #work(): Promise<void> {
    this.#isBusy = true
    // What arrives within this turn of the event loop goes into the same statement.
    await new Promise<void>((resolve) => setImmediate(resolve))
    while (this.#waiting.size > 0) {
      const batch = [...this.#waiting.values()].slice(0, MOST_IN_ONE_BATCH)
      for (const [first] of batch) if (first !== undefined) this.#waiting.delete(first.credentialId)
      await this.#bindBatch(batch)
    }
    this.#isBusy = false
  }

  /** Of several announces under one credential the first one's address is offered to the database. */
  async #bindBatch(batch: readonly Waiting[][]): Promise<void> {
    try {
      const standing = await bindCredentials(
        this.#db,
        batch.flatMap((waiting) => waiting.slice(0, 1)),
        new Date(this.#clock.now()),
      )
      const addresses = new Map(standing.map((one) => [one.credentialId, one.address]))
      for (const { credentialId, answer } of batch.flat()) {
        const address = addresses.get(credentialId)
        answer(address === undefined ? 'gone' : { address })
      }
    } catch {
      for (const { answer } of batch.flat()) answer('unavailable')
    }
  }
}
