/**
 * Who may be gone: each online server stands in one slot of a wheel and is looked at when that slot's time comes; one that has
 * announced since moves on. So an announce costs nothing here, and nothing ever scans all servers.
 */
import type { ServerRecord } from './server-record.ts'

const SLOT_MS = 250

export class ExpiryWheel {
  readonly #ttl: number
  readonly #slots = new Map<number, ServerRecord[]>()
  #turned: number

  /** @param ttl milliseconds without an announce after which a server is gone. @param uptime milliseconds, now. */
  constructor(ttl: number, uptime: number) {
    this.#ttl = ttl
    this.#turned = Math.floor(uptime / SLOT_MS)
  }

  /** Watches a server that came online; does nothing where it is watched already. */
  watch(server: ServerRecord): void {
    if (server.isWatched) return
    server.isWatched = true
    // The slot after the one its time falls into: looked at late by a slot, never early.
    const slot = Math.max(Math.floor((server.lastSeen + this.#ttl) / SLOT_MS) + 1, this.#turned + 1)
    const there = this.#slots.get(slot)
    if (there === undefined) this.#slots.set(slot, [server])
    else there.push(server)
  }

  /** Turns the wheel to now and answers the online servers whose time is over. */
  due(uptime: number): ServerRecord[] {
    const gone: ServerRecord[] = []
    const now = Math.floor(uptime / SLOT_MS)
    for (const slot of this.#passed(now)) {
      const there = this.#slots.get(slot) ?? []
      this.#slots.delete(slot)
      this.#turned = Math.max(this.#turned, slot)
      for (const server of there) {
        server.isWatched = false
        if (!server.online) continue
        if (server.lastSeen + this.#ttl <= uptime) gone.push(server)
        else this.watch(server)
      }
    }
    this.#turned = Math.max(this.#turned, now)
    return gone
  }

  /** The slots passed since the last turn; after a long standstill only those that hold somebody. */
  #passed(now: number): number[] {
    const steps = now - this.#turned
    if (steps <= 0) return []
    if (steps > this.#slots.size) return [...this.#slots.keys()].filter((slot) => slot <= now).toSorted((a, b) => a - b)
    return Array.from({ length: steps }, (_, step) => this.#turned + 1 + step)
  }
}
