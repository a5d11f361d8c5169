/** A timer wheel of online servers: announces do no work here, and nothing scans all servers. */
import type { ServerRecord } from './server-record.ts'

const SLOT_MS = 250

export class ExpiryWheel {
  readonly #ttl: number
  readonly #slots = new Map<number, ServerRecord[]>()
  /** The last slot that was processed. */
  #currentSlot: number

  /** @param ttl milliseconds without an announce after which a server is offline. @param uptime milliseconds. */
  constructor(ttl: number, uptime: number) {
    this.#ttl = ttl
    this.#currentSlot = Math.floor(uptime / SLOT_MS)
  }

  schedule(server: ServerRecord): void {
    if (server.isScheduled) return
    server.isScheduled = true
    // Up to one slot late, but never early.
    const slot = Math.max(Math.floor((server.lastAnnounceUptime + this.#ttl) / SLOT_MS) + 1, this.#currentSlot + 1)
    const scheduled = this.#slots.get(slot)
    if (scheduled === undefined) this.#slots.set(slot, [server])
    else scheduled.push(server)
  }

  /** Advances the wheel and returns the online servers whose TTL has ended. Servers that announced since then move to a later slot. */
  due(uptime: number): ServerRecord[] {
    const due: ServerRecord[] = []
    this.#currentSlot = Math.max(this.#currentSlot, Math.floor(uptime / SLOT_MS))
    for (const [slot, scheduled] of this.#slots) {
      if (slot > this.#currentSlot) continue
      this.#slots.delete(slot)
      for (const server of scheduled) {
        server.isScheduled = false
        if (!server.online) continue
        if (server.lastAnnounceUptime + this.#ttl <= uptime) due.push(server)
        else this.schedule(server)
      }
    }
    return due
  }
}
