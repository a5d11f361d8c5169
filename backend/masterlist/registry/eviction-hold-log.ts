/** Logs when evictions begin to be held, and when that ends. */
import type { Log } from '#backend/platform/log.ts'
import type { Registry } from './registry.ts'

export class EvictionHoldLog {
  readonly #log: Log
  readonly #registry: Registry
  #isHolding = false

  constructor(log: Log, registry: Registry) {
    this.#log = log
    this.#registry = registry
  }

  onCycle(): void {
    const { online, expiryGuard: guard } = this.#registry
    const { held } = guard
    if (held > 0 === this.#isHolding) return
    this.#isHolding = held > 0
    if (held > 0)
      this.#log.warn(
        { held, online },
        'Many servers fell silent at once: is the way to the list closed? They stay listed until they are heard again, for ten minutes at most.',
      )
    else this.#log.info('Servers that fall silent leave the list again.')
  }
}
