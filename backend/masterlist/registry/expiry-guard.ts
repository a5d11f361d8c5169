/** Holds evictions while many servers fall silent at once: then our network or proxy is gone, not they (as Eureka's self-preservation). */
import type { ServerRecord } from './server-record.ts'

/** The fault may be ours where more than this share of the online servers is silent, and at least this many. */
const MAX_SILENT_SHARE = 0.15
const MIN_SILENT = 20
/** At fewer addresses it is their host's fault. */
const MIN_ADDRESSES = 5
/**
 * A server is silent after this share of its time to live. The longest wait it is told is 0.6 (announces/announce-spread.ts), so it is late
 * then, and most that will follow are counted when the first one is due.
 */
const SILENT_SHARE = 0.9
/** In times to live: ten minutes with the default. */
const MAX_HOLD = 8
/** How often all servers, or all held ones, are looked at. */
const LOOK_EVERY_MS = 1000

export class ExpiryGuard {
  readonly #ttl: number
  readonly #onHeard: (server: ServerRecord) => void
  readonly #held = new Set<ServerRecord>()
  /** Uptime; undefined while nothing is held. */
  #heldUntil: number | undefined
  /** The uptimes of the last look at all servers that found no fault of ours, and of the last look at held ones. */
  #clearedAt = -Infinity
  #releasedAt = -Infinity

  /** @param ttl milliseconds. @param onHeard is called with each held server that has announced since. */
  constructor(ttl: number, onHeard: (server: ServerRecord) => void) {
    this.#ttl = ttl
    this.#onHeard = onHeard
  }

  /** How many servers are online only because evictions are held. */
  get held(): number {
    return this.#held.size
  }

  /** The servers to evict now. @param due those whose time has just ended. @param all every server. @param uptime milliseconds. */
  selectEvictions(due: readonly ServerRecord[], all: Iterable<ServerRecord>, uptime: number): readonly ServerRecord[] {
    if (this.#heldUntil === undefined) {
      if (due.length === 0 || this.#wereCleared(due, uptime) || !this.#isOurFault(all, uptime)) return due
      this.#heldUntil = uptime + this.#ttl * MAX_HOLD
    }
    for (const server of due) this.#held.add(server)
    const isOver = uptime >= this.#heldUntil
    if (!isOver && uptime < this.#releasedAt + LOOK_EVERY_MS) return []
    this.#release(uptime)
    if (this.#held.size > 0 && !isOver) return []
    const evicted = [...this.#held]
    this.#held.clear()
    this.#heldUntil = undefined
    return evicted
  }

  /** Whether each was counted as silent in a recent look that found no fault of ours. */
  #wereCleared(due: readonly ServerRecord[], uptime: number): boolean {
    const silentSince = this.#clearedAt - this.#ttl * SILENT_SHARE
    return uptime < this.#clearedAt + LOOK_EVERY_MS && due.every((server) => server.lastAnnounceUptime <= silentSince)
  }

  /** Releases servers that have announced again, or went offline otherwise. */
  #release(uptime: number): void {
    this.#releasedAt = uptime
    for (const server of this.#held) {
      const isHeard = server.lastAnnounceUptime + this.#ttl > uptime
      if (server.online && !isHeard) continue
      this.#held.delete(server)
      if (server.online) this.#onHeard(server)
    }
  }

  #isOurFault(all: Iterable<ServerRecord>, uptime: number): boolean {
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
    const isOurFault = silent >= MIN_SILENT && silent > online * MAX_SILENT_SHARE && addresses.size >= MIN_ADDRESSES
    if (!isOurFault) this.#clearedAt = uptime
    return isOurFault
  }
}
