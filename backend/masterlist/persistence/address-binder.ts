/** Binds credentials to the address of their first announce of each family. The database arbitrates between concurrent announces and nodes. */
import { setImmediate } from 'node:timers/promises'
import type { Clock } from '#backend/platform/clock.ts'
import { familyOf } from '#backend/platform/http/client-address.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { type Binding, type NewBinding, bindCredentials } from './masterlist.writes.ts'

/** After this the game server must announce again. */
const TIMEOUT_MS = 3000
const MAX_BATCH = 500

/** The bound address, `invalid` for an invalid credential, or `unavailable` if the database did not respond in time. */
export type BindResult = { readonly address: string } | 'invalid' | 'unavailable'

interface PendingBinding extends NewBinding {
  readonly resolve: (bound: BindResult) => void
}

export class AddressBinder {
  readonly #db: Db
  readonly #clock: Clock
  readonly #pending: PendingBinding[] = []
  #isRunning = false

  constructor(db: Db, clock: Clock) {
    this.#db = db
    this.#clock = clock
  }

  /** Returns the address of that family that the credential is bound to: `address` if it had none. */
  bind(credentialId: string, address: string, server: NewBinding['server']): Promise<BindResult> {
    const { promise, resolve } = Promise.withResolvers<BindResult>()
    const timer = setTimeout(resolve, TIMEOUT_MS, 'unavailable')
    this.#pending.push({ credentialId, address, server, resolve })
    if (!this.#isRunning) void this.#run()
    return promise.finally(() => clearTimeout(timer))
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    // First announces of one event-loop turn share a statement.
    await setImmediate()
    while (this.#pending.length > 0) await this.#bindBatch(this.#pending.splice(0, MAX_BATCH))
    this.#isRunning = false
  }

  /** If several announces use one credential, the first address of each family is bound. */
  async #bindBatch(batch: readonly PendingBinding[]): Promise<void> {
    const keyOf = ({ credentialId, address }: Binding) => `${credentialId} ${familyOf(address)}`
    const firsts = new Map(batch.toReversed().map((binding) => [keyOf(binding), binding]))
    try {
      const bound = await bindCredentials(this.#db, [...firsts.values()], new Date(this.#clock.now()))
      const addresses = new Map(bound.map((binding) => [keyOf(binding), binding.address]))
      for (const binding of batch) {
        const address = addresses.get(keyOf(binding))
        binding.resolve(address === undefined ? 'invalid' : { address })
      }
    } catch {
      for (const { resolve } of batch) resolve('unavailable')
    }
  }
}
