/** Notifies listeners of changes that owners see. */
import type { Clock } from '#backend/platform/clock.ts'
import type { ServerRecord } from '#backend/masterlist/registry/server-record.ts'

const MIN_INTERVAL_MS = 1000
const BATCH_MS = 100

export interface ServerChange {
  readonly publicId: string
  readonly ownerId: string
}

export type Listener = (changes: readonly ServerChange[]) => void
/** Whether the listener needs to know when only the player and queue counts of this owner's servers change. That happens all the time. */
export type WantsCounts = (ownerId: string) => boolean

export class ChangeFeed {
  readonly #clock: Clock
  readonly #listeners = new Map<Listener, WantsCounts>()
  readonly #pending = new Set<ServerRecord>()
  /**
   * When each server's last notification was sent, by `clock.uptime()`, oldest first. Keyed by record, so that a new owner isn't delayed by
   * the former one.
   */
  readonly #notifiedAt = new Map<ServerRecord, number>()
  #timer: NodeJS.Timeout | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Calls the listener at most once a second per server, after a change that its owner sees. Returns a function that unsubscribes. */
  subscribe(listener: Listener, wantsCounts: WantsCounts): () => void {
    this.#listeners.set(listener, wantsCounts)
    return () => void this.#listeners.delete(listener)
  }

  markChanged(server: ServerRecord, isCountsOnly: boolean): void {
    if (isCountsOnly ? !this.#wantsCounts(server.fields.ownerId) : this.#listeners.size === 0) return
    this.#pending.add(server)
    this.#timer ??= setTimeout(() => this.#notify(), BATCH_MS).unref()
  }

  #wantsCounts(ownerId: string): boolean {
    for (const wants of this.#listeners.values()) if (wants(ownerId)) return true
    return false
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#listeners.clear()
    this.#pending.clear()
  }

  #notify(): void {
    this.#timer = undefined
    const now = this.#clock.uptime()
    for (const [server, at] of this.#notifiedAt) {
      if (now - at < MIN_INTERVAL_MS) break
      this.#notifiedAt.delete(server)
    }
    const changes: ServerChange[] = []
    for (const server of this.#pending) {
      if (this.#notifiedAt.has(server)) continue
      this.#pending.delete(server)
      this.#notifiedAt.set(server, now)
      changes.push({ publicId: server.publicId, ownerId: server.fields.ownerId })
    }
    if (changes.length > 0) for (const listener of this.#listeners.keys()) listener(changes)
    if (this.#pending.size > 0) this.#timer = setTimeout(() => this.#notify(), BATCH_MS).unref()
  }
}
