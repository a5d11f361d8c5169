/** Logs when the expiry guard starts and stops deferring expiry. */
import type { Log } from '#backend/platform/log.ts'
import type { Registry } from './registry.ts'
import { RECOVERED } from '#backend/platform/outage-log.ts'

export class ExpiryDeferralLog {
  readonly #log: Log
  readonly #registry: Registry
  #isDeferring = false

  constructor(log: Log, registry: Registry) {
    this.#log = log
    this.#registry = registry
  }

  onCycle(): void {
    const { onlineCount, expiryGuard } = this.#registry
    const { deferred } = expiryGuard
    if (deferred > 0 === this.#isDeferring) return
    this.#isDeferring = deferred > 0
    if (deferred > 0)
      this.#log.warn(
        { deferred, online: onlineCount },
        'many servers fell silent at once, check the inbound network; they stay listed for ten minutes at most',
      )
    else this.#log.warn(RECOVERED, 'silent servers expire again')
  }
}
