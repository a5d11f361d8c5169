/** Binds credentials to the address of their first announce. The database decides between two nodes or announces. */
import { setImmediate } from 'node:timers/promises'
import type { Clock } from '#backend/platform/clock.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { type Binding, bindCredentials } from './masterlist.writes.ts'

/** Then the game server must announce again. */
const PATIENCE_MS = 3000
const MAX_BATCH = 500

/** The bound address, `gone` where the credential is not valid, or `unavailable` where the database did not answer in time. */
export type BindResult = { readonly address: string } | 'gone' | 'unavailable'

interface Waiting extends Binding {
  readonly answer: (bound: BindResult) => void
}

export class AddressBinder {
  readonly #db: Db
  readonly #clock: Clock
  readonly #waiting: Waiting[] = []
  #isBusy = false

  constructor(db: Db, clock: Clock) {
    this.#db = db
    this.#clock = clock
  }

  /** Returns the address that the credential is bound to: `address` where it was unbound. */
  bind(credentialId: string, address: string): Promise<BindResult> {
    const { promise, resolve } = Promise.withResolvers<BindResult>()
    const timer = setTimeout(resolve, PATIENCE_MS, 'unavailable')
    this.#waiting.push({ credentialId, address, answer: resolve })
    if (!this.#isBusy) void this.#work()
    return promise.finally(() => clearTimeout(timer))
  }

  async #work(): Promise<void> {
    this.#isBusy = true
    // First announces of the same turn of the event loop share a statement.
    await setImmediate()
    while (this.#waiting.length > 0) await this.#bindBatch(this.#waiting.splice(0, MAX_BATCH))
    this.#isBusy = false
  }

  /** Of several announces with one credential, the first one's address is tried. */
  async #bindBatch(batch: readonly Waiting[]): Promise<void> {
    const firsts = new Map(batch.toReversed().map((waiting) => [waiting.credentialId, waiting]))
    try {
      const bound = await bindCredentials(this.#db, [...firsts.values()], new Date(this.#clock.now()))
      const addresses = new Map(bound.map(({ credentialId, address }) => [credentialId, address]))
      for (const { credentialId, answer } of batch) {
        const address = addresses.get(credentialId)
        answer(address === undefined ? 'gone' : { address })
      }
    } catch {
      for (const { answer } of batch) answer('unavailable')
    }
  }
}
