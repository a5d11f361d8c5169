/** Spreads the fleet's announces evenly: after a crash all servers come back in the same second, and fixed intervals would keep it so. */

/** The next announce is due after this part of the time to live, so that one lost announce does no harm. */
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
  /** How many announces are due in each slot, and which slot of time that is. */
  readonly #promised = new Uint32Array(RING)
  readonly #slotOf = new Float64Array(RING)
  #slot = 0
  #came = 0

  /** @param ttlSeconds how long a server stays without an announce. */
  constructor(ttlSeconds: number) {
    this.#interval = ttlSeconds * SHARE_OF_TTL
    this.#slotMs = (this.#interval * 1000) / SLOTS
  }

  /** Whole seconds until the next announce, 1 at least: of two random waits, the one whose slot is emptier. @param online servers. */
  next(uptime: number, online: number): number {
    const slot = Math.floor(uptime / this.#slotMs)
    if (slot !== this.#slot) this.#came = 0
    this.#slot = slot
    this.#came += 1
    const isCrowd = this.#came > Math.max(MIN_CROWD, (online / SLOTS) * CROWD)
    const jitter = isCrowd ? WIDE_JITTER : JITTER
    const [one, other] = [this.#wait(jitter), this.#wait(jitter)]
    const wait = this.#promisedAt(uptime + one * 1000) <= this.#promisedAt(uptime + other * 1000) ? one : other
    this.#promise(uptime + wait * 1000)
    return wait
  }

  #wait(jitter: number): number {
    return Math.max(1, Math.round(this.#interval * (1 - jitter + Math.random() * 2 * jitter)))
  }

  #promisedAt(uptime: number): number {
    const slot = Math.floor(uptime / this.#slotMs)
    const place = slot % RING
    return this.#slotOf[place] === slot ? (this.#promised[place] ?? 0) : 0
  }

  #promise(uptime: number): void {
    const slot = Math.floor(uptime / this.#slotMs)
    const place = slot % RING
    if (this.#slotOf[place] !== slot) this.#promised[place] = 0
    this.#slotOf[place] = slot
    this.#promised[place] = (this.#promised[place] ?? 0) + 1
  }
}
