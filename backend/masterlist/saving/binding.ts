/** Binds credentials to the address of their first announce. The database decides between two nodes or announces; batches share a statement. */
import type { Clock } from '#backend/platform/clock.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { bindCredentials } from './masterlist.writes.ts'

/** Then the game server must announce again. */
const PATIENCE_MS = 3000
const MAX_BATCH = 500

/** The bound address, `gone` where the credential is not valid, or `unavailable` where the database did not answer in time. */
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

  /** Returns the address that the credential is bound to: `address` where it was unbound. */
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
    // First announces of the same turn of the event loop share a statement.
    await new Promise<void>((resolve) => setImmediate(resolve))
    while (this.#waiting.size > 0) {
      const batch = [...this.#waiting.values()].slice(0, MAX_BATCH)
      for (const [first] of batch) if (first !== undefined) this.#waiting.delete(first.credentialId)
      await this.#bindBatch(batch)
    }
    this.#isBusy = false
  }

  /** Of several announces with one credential, the first one's address is tried. */
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
