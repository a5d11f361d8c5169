/** Defers expiry when many servers fall silent at once: then our network or proxy has failed (like Eureka's self-preservation). */
import type { ServerRecord } from './server-record.ts'

/** Expiry is deferred if more than this share of the online servers is silent, and at least this many. */
const MAX_SILENT_SHARE = 0.15
const MIN_SILENT = 20
/** Fewer addresses mean that a hosting provider failed, not our network. */
const MIN_ADDRESSES = 5
/**
 * A server counts as silent after this share of its TTL. It is overdue then, because the longest announce
 * interval is 0.6 (announces/announce-spread.ts). When the first server expires, most others that will follow already count as silent.
 */
const SILENT_SHARE = 0.9
/** In TTLs: ten minutes by default. */
const MAX_DEFERRAL_TTLS = 8
/** Interval between scans of all servers, or of all deferred ones. */
const SCAN_INTERVAL_MS = 1000

export class ExpiryGuard {
  readonly #ttl: number
  readonly #onReturned: (server: ServerRecord) => void
  readonly #deferred = new Set<ServerRecord>()
  /** Uptime; undefined while nothing is deferred. */
  #deferredUntil: number | undefined
  /** Uptimes of the last full scan without a local failure, and of the last scan of deferred servers. */
  #scannedAt = -Infinity
  #releasedAt = -Infinity

  /** @param ttl milliseconds. @param onReturned called with each deferred server that has announced since. */
  constructor(ttl: number, onReturned: (server: ServerRecord) => void) {
    this.#ttl = ttl
    this.#onReturned = onReturned
  }

  /** Number of servers that are online only because their expiry is deferred. */
  get deferred(): number {
    return this.#deferred.size
  }

  /** Returns the servers to take offline now. @param due servers whose TTL has just ended. @param uptime milliseconds. */
  selectExpired(due: readonly ServerRecord[], all: Iterable<ServerRecord>, uptime: number): readonly ServerRecord[] {
    if (this.#deferredUntil === undefined) {
      if (due.length === 0 || this.#wereScanned(due, uptime) || !this.#isLocalFailure(all, uptime)) return due
      this.#deferredUntil = uptime + this.#ttl * MAX_DEFERRAL_TTLS
    }
    for (const server of due) this.#deferred.add(server)
    const isOver = uptime >= this.#deferredUntil
    if (!isOver && uptime < this.#releasedAt + SCAN_INTERVAL_MS) return []
    this.#release(uptime)
    if (this.#deferred.size > 0 && !isOver) return []
    const expired = [...this.#deferred]
    this.#deferred.clear()
    this.#deferredUntil = undefined
    return expired
  }

  /** Whether all were already silent in a recent scan that found no local failure. */
  #wereScanned(due: readonly ServerRecord[], uptime: number): boolean {
    const silentSince = this.#scannedAt - this.#ttl * SILENT_SHARE
    return uptime < this.#scannedAt + SCAN_INTERVAL_MS && due.every((server) => server.lastAnnounceUptime <= silentSince)
  }

  /** Releases servers that have announced again or gone offline. */
  #release(uptime: number): void {
    this.#releasedAt = uptime
    for (const server of this.#deferred) {
      const hasReturned = server.lastAnnounceUptime + this.#ttl > uptime
      if (server.online && !hasReturned) continue
      this.#deferred.delete(server)
      if (server.online) this.#onReturned(server)
    }
  }

  #isLocalFailure(all: Iterable<ServerRecord>, uptime: number): boolean {
    const addresses = new Set<string>()
    let online = 0
    let silent = 0
    for (const server of all) {
      if (!server.online) continue
      online += 1
      if (server.lastAnnounceUptime + this.#ttl * SILENT_SHARE > uptime) continue
      silent += 1
      if (addresses.size < MIN_ADDRESSES) addresses.add(server.address)
    }
    const isLocalFailure = silent >= MIN_SILENT && silent > online * MAX_SILENT_SHARE && addresses.size >= MIN_ADDRESSES
    if (!isLocalFailure) this.#scannedAt = uptime
    return isLocalFailure
  }
}
