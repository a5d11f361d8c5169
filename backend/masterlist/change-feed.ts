/** Notifies listeners of servers that changed for their owners. */
import type { Clock } from '#backend/platform/clock.ts'
import type { ServerRecord } from '#backend/masterlist/registry/server-record.ts'

const QUIET_MS = 1000
const LOOK_MS = 100

export interface ServerChange {
  readonly publicId: string
  readonly ownerId: string
}

export type Listener = (changes: readonly ServerChange[]) => void
/** Whether changes of players alone matter to anybody who follows this owner's servers. They happen all the time. */
export type WantsCounts = (ownerId: string) => boolean

export class ChangeFeed {
  readonly #clock: Clock
  readonly #listeners = new Map<Listener, WantsCounts>()
  readonly #waiting = new Set<ServerRecord>()
  /** The uptime of the last call for a server, oldest first. By record, so that a new owner does not wait because of the former one. */
  readonly #told = new Map<ServerRecord, number>()
  #timer: NodeJS.Timeout | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Calls the listener at most once a second per server, when something that its owner sees changed. Returns how to stop. */
  listen(listener: Listener, wantsCounts: WantsCounts): () => void {
    this.#listeners.set(listener, wantsCounts)
    return () => void this.#listeners.delete(listener)
  }

  markChanged(server: ServerRecord, isOnlyCount: boolean): void {
    if (isOnlyCount ? !this.#wantsCounts(server.fields.ownerId) : this.#listeners.size === 0) return
    this.#waiting.add(server)
    this.#timer ??= setTimeout(() => this.#tell(), LOOK_MS).unref()
  }

  #wantsCounts(ownerId: string): boolean {
    for (const wants of this.#listeners.values()) if (wants(ownerId)) return true
    return false
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#listeners.clear()
    this.#waiting.clear()
  }

  #tell(): void {
    this.#timer = undefined
    const now = this.#clock.uptime()
    for (const [server, at] of this.#told) {
      if (now - at < QUIET_MS) break
      this.#told.delete(server)
    }
    const changes: ServerChange[] = []
    for (const server of this.#waiting) {
      if (this.#told.has(server)) continue
      this.#waiting.delete(server)
      this.#told.set(server, now)
      changes.push({ publicId: server.publicId, ownerId: server.fields.ownerId })
    }
    if (changes.length > 0) for (const listener of this.#listeners.keys()) listener(changes)
    if (this.#waiting.size > 0) this.#timer = setTimeout(() => this.#tell(), LOOK_MS).unref()
  }
}
