/** Spreads announces evenly over time: after a crash all servers return in the same second, and fixed intervals would keep them in step. */

/** The next announce is due after this share of the TTL. One may be lost, unless a crowd made both intervals long. */
const SHARE_OF_TTL = 0.4
/** Announcers take more than an hour for a mistake (docs/announcing.md). */
const MAX_WAIT_SECONDS = 3600
/** Jitter of intervals: normally, and in a crowd. */
const JITTER = 0.2
const WIDE_JITTER = 0.5
/** A crowd is this multiple of the announces of an evenly spread fleet, and at least `MIN_CROWD`. */
const CROWD_FACTOR = 2
const MIN_CROWD = 20
/** Slots per interval. The ring covers the longest interval. */
const SLOTS = 32
const RING = SLOTS * 2

export class AnnounceSpread {
  readonly #interval: number
  readonly #slotMs: number
  /** How many announces are due in each slot of the ring. */
  readonly #due = new Uint32Array(RING)
  #slot = 0
  #arrivals = 0

  /** @param ttlSeconds how long a server stays online without an announce. */
  constructor(ttlSeconds: number) {
    this.#interval = Math.min(ttlSeconds * SHARE_OF_TTL, MAX_WAIT_SECONDS / (1 + WIDE_JITTER))
    this.#slotMs = (this.#interval * 1000) / SLOTS
  }

  /** Returns whole seconds until the next announce, at least 1: of two random intervals, the one whose slot is emptier. @param online number of servers. */
  next(uptime: number, online: number): number {
    this.#advanceTo(Math.floor(uptime / this.#slotMs))
    this.#arrivals += 1
    const isCrowd = this.#arrivals > Math.max(MIN_CROWD, (online / SLOTS) * CROWD_FACTOR)
    const jitter = isCrowd ? WIDE_JITTER : JITTER
    const [first, second] = [this.#randomWait(jitter), this.#randomWait(jitter)]
    const wait = this.#dueAfter(first, uptime) <= this.#dueAfter(second, uptime) ? first : second
    this.#due[this.#slotAfter(wait, uptime)] = this.#dueAfter(wait, uptime) + 1
    return wait
  }

  #advanceTo(slot: number): void {
    if (slot === this.#slot) return
    for (let past = Math.max(this.#slot, slot - RING); past < slot; past += 1) this.#due[past % RING] = 0
    this.#slot = slot
    this.#arrivals = 0
  }

  #randomWait(jitter: number): number {
    return Math.max(1, Math.round(this.#interval * (1 - jitter + Math.random() * 2 * jitter)))
  }

  #slotAfter(wait: number, uptime: number): number {
    return Math.floor((uptime + wait * 1000) / this.#slotMs) % RING
  }

  #dueAfter(wait: number, uptime: number): number {
    return this.#due[this.#slotAfter(wait, uptime)] ?? 0
  }
}
