/** Whether our own network may have failed: servers at several addresses stop answering, and none answers in between. */
import { RECOVERED } from '#backend/platform/outage-log.ts'
import type { Deps } from '#backend/platform/deps.ts'

const MIN_SILENT_ADDRESSES = 5

export class NetworkWatch {
  readonly #log: Deps['log']
  /** Addresses of servers that stopped answering, since the last answer of any server. */
  readonly #silent = new Set<string>()

  constructor(log: Deps['log']) {
    this.#log = log
  }

  /** While this is true, no failure counts against anybody. */
  get isSuspect(): boolean {
    return this.#silent.size >= MIN_SILENT_ADDRESSES
  }

  noteAnswer(): void {
    if (this.isSuspect) this.#log.warn(RECOVERED, 'game servers are reachable again')
    this.#silent.clear()
  }

  /** A server that answered before does not any more. @param address its `limitKey`. */
  noteSilence(address: string): void {
    const wasSuspect = this.isSuspect
    this.#silent.add(address)
    if (this.isSuspect && !wasSuspect) this.#log.warn('many servers became unreachable at once, check outbound network')
  }
}
