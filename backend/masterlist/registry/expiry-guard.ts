/**
 * Holds evictions while far more servers are silent at once than ever go by themselves: then it is our network, our proxy or our own
 * pause that is gone, and not they. Better a list with some that are gone than an empty one (as Eureka's self-preservation does).
 */
import type { ServerRecord } from './server-record.ts'

/** More of those online than this share is no accident; and so many at least, for of few any share is soon reached. */
const MOST_SHARE = 0.15
const LEAST_SERVERS = 20
/** At so many different addresses at least: what falls silent at one machine, or at one host's few, is that host's end and no fault of ours. */
const LEAST_ADDRESSES = 5
/**
 * Silent is whose announce is late: after this part of the time to live. The longest wait that is told is 0.6 of it (announces/announce-spread.ts), so
 * many are late when the first one's time is over, and it is seen how many will follow; who announces as seldom as he may is not late.
 */
const LATE_SHARE = 0.9
/** How many times the time to live they are held: ten minutes with the usual one. */
const LONGEST_HOLD = 8
/** All servers, or all that are held, are looked at no more often than this, as far as nobody goes unjudged. */
const LOOK_EVERY_MS = 1000

export class ExpiryGuard {
  readonly #ttl: number
  readonly #onHeard: (server: ServerRecord) => void
  readonly #held = new Set<ServerRecord>()
  /** Uptime; undefined while nothing is held. */
  #heldUntil: number | undefined
  /** Uptime when all were looked at last and it was not our fault, and when those that are held were. */
  #clearedAt = -Infinity
  #releasedAt = -Infinity

  /** @param ttl milliseconds. @param onHeard is called with each that was held and has announced since. */
  constructor(ttl: number, onHeard: (server: ServerRecord) => void) {
    this.#ttl = ttl
    this.#onHeard = onHeard
  }

  /** How many servers are online only because evictions are held. */
  get held(): number {
    return this.#held.size
  }

  /**
   * Of the servers whose time is over those that are to go now.
   * @param due those whose time has just come. @param all every server; looked at only where somebody is due who was not late at the last look. @param uptime milliseconds.
   */
  judge(due: readonly ServerRecord[], all: Iterable<ServerRecord>, uptime: number): readonly ServerRecord[] {
    if (this.#heldUntil === undefined) {
      if (due.length === 0 || this.#wereCleared(due, uptime)) return due
      if (!this.#isOurFault(all, uptime)) {
        this.#clearedAt = uptime
        return due
      }
      this.#heldUntil = uptime + this.#ttl * LONGEST_HOLD
    }
    for (const server of due) this.#held.add(server)
    const isOver = uptime >= this.#heldUntil
    if (!isOver && uptime < this.#releasedAt + LOOK_EVERY_MS) return []
    this.#release(uptime)
    if (this.#held.size > 0 && !isOver) return []
    const over = [...this.#held]
    this.#held.clear()
    this.#heldUntil = undefined
    return over
  }

  /** Whether each of them was among the late when it was last found to be no fault of ours, a moment ago. */
  #wereCleared(due: readonly ServerRecord[], uptime: number): boolean {
    const lateBefore = this.#clearedAt - this.#ttl * LATE_SHARE
    return uptime < this.#clearedAt + LOOK_EVERY_MS && due.every((server) => server.lastSeen <= lateBefore)
  }

  /** Whoever is heard again, or went by another way, is held no more. */
  #release(uptime: number): void {
    this.#releasedAt = uptime
    for (const server of this.#held) {
      const isHeard = server.lastSeen + this.#ttl > uptime
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
      if (server.lastSeen + this.#ttl * LATE_SHARE > uptime) continue
      silent += 1
      if (addresses.size < LEAST_ADDRESSES) addresses.add(server.address)
    }
    return silent >= LEAST_SERVERS && silent > online * MOST_SHARE && addresses.size >= LEAST_ADDRESSES
  }
}
