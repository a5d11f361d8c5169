/** A timer wheel of online servers: an announce costs nothing here, and nothing scans all servers. */
import type { ServerRecord } from './server-record.ts'

const SLOT_MS = 250

export class ExpiryWheel {
  readonly #ttl: number
  readonly #slots = new Map<number, ServerRecord[]>()
  /** The last slot that was looked at. */
  #turned: number

  /** @param ttl milliseconds without an announce after which a server is offline. @param uptime milliseconds. */
  constructor(ttl: number, uptime: number) {
    this.#ttl = ttl
    this.#turned = Math.floor(uptime / SLOT_MS)
  }

  schedule(server: ServerRecord): void {
    if (server.isScheduled) return
    server.isScheduled = true
    // One slot late, but never early.
    const slot = Math.max(Math.floor((server.lastAnnounceUptime + this.#ttl) / SLOT_MS) + 1, this.#turned + 1)
    const watched = this.#slots.get(slot)
    if (watched === undefined) this.#slots.set(slot, [server])
    else watched.push(server)
  }

  /** Turns the wheel and returns the online servers whose time is over. Those that have announced since move to a later slot. */
  due(uptime: number): ServerRecord[] {
    const due: ServerRecord[] = []
    this.#turned = Math.max(this.#turned, Math.floor(uptime / SLOT_MS))
    for (const [slot, watched] of this.#slots) {
      if (slot > this.#turned) continue
      this.#slots.delete(slot)
      for (const server of watched) {
        server.isScheduled = false
        if (!server.online) continue
        if (server.lastAnnounceUptime + this.#ttl <= uptime) due.push(server)
        else this.schedule(server)
      }
    }
    return due
  }
}
