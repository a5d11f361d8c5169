/** Spreads the fleet's announces evenly: after a crash all servers come back in the same second, and fixed intervals would keep it so. */

/** The next announce is due after this part of the time to live, so one lost announce does no harm, unless a crowd makes both waits long. */
const SHARE_OF_TTL = 0.4
/** How far intervals vary: usually, and in a crowd. */
const JITTER = 0.2
const WIDE_JITTER = 0.5
/** A crowd is more than so many times what an even fleet sends in the same time, and at least `MIN_CROWD`. */
const CROWD = 2
const MIN_CROWD = 20
/** Per interval; a ring of slots holds the longest wait. */
const SLOTS = 32
const RING = SLOTS * 2

export class AnnounceSpread {
  readonly #interval: number
  readonly #slotMs: number
  /** How many announces are due in each slot of the ring. */
  readonly #due = new Uint32Array(RING)
  #slot = 0
  #came = 0

  /** @param ttlSeconds how long a server stays without an announce. */
  constructor(ttlSeconds: number) {
    this.#interval = ttlSeconds * SHARE_OF_TTL
    this.#slotMs = (this.#interval * 1000) / SLOTS
  }

  /** Whole seconds until the next announce, 1 at least: of two random waits, the one whose slot is emptier. @param online servers. */
  next(uptime: number, online: number): number {
    this.#advanceTo(Math.floor(uptime / this.#slotMs))
    this.#came += 1
    const isCrowd = this.#came > Math.max(MIN_CROWD, (online / SLOTS) * CROWD)
    const jitter = isCrowd ? WIDE_JITTER : JITTER
    const [one, other] = [this.#wait(jitter), this.#wait(jitter)]
    const wait = this.#dueAfter(one, uptime) <= this.#dueAfter(other, uptime) ? one : other
    this.#due[this.#placeOf(wait, uptime)] = this.#dueAfter(wait, uptime) + 1
    return wait
  }

  #advanceTo(slot: number): void {
    if (slot === this.#slot) return
    for (let past = Math.max(this.#slot, slot - RING); past < slot; past += 1) this.#due[past % RING] = 0
    this.#slot = slot
    this.#came = 0
  }

  #wait(jitter: number): number {
    return Math.max(1, Math.round(this.#interval * (1 - jitter + Math.random() * 2 * jitter)))
  }

  #placeOf(wait: number, uptime: number): number {
    return Math.floor((uptime + wait * 1000) / this.#slotMs) % RING
  }

  #dueAfter(wait: number, uptime: number): number {
    return this.#due[this.#placeOf(wait, uptime)] ?? 0
  }
}
