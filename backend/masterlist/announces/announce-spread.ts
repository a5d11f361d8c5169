/** Spreads announces evenly over time: after a crash all servers return in the same second, and fixed intervals would keep them in step. */

/** The next announce is due after this share of the TTL. One may be lost, unless a crowd made both intervals long. */
const SHARE_OF_TTL = 0.4
/** Announcers take more than an hour for a mistake (docs/announcing.md). */
const MAX_WAIT_SECONDS = 3600
/** Jitter of intervals: normally, and in a crowd. */
const JITTER = 0.2
const WIDE_JITTER = 0.5
/** A crowd is this multiple of a second's announces of an evenly spread fleet, and at least `MIN_CROWD`. */
const CROWD_FACTOR = 2
const MIN_CROWD = 20

export class AnnounceSpread {
  readonly #interval: number
  #second = 0
  #arrivals = 0

  /** @param ttlSeconds how long a server stays online without an announce. */
  constructor(ttlSeconds: number) {
    this.#interval = Math.min(ttlSeconds * SHARE_OF_TTL, MAX_WAIT_SECONDS / (1 + WIDE_JITTER))
  }

  /** Returns whole seconds until the next announce, at least 1. @param uptime milliseconds. @param online number of servers. */
  next(uptime: number, online: number): number {
    const second = Math.floor(uptime / 1000)
    this.#arrivals = second === this.#second ? this.#arrivals + 1 : 1
    this.#second = second
    const isCrowd = this.#arrivals > Math.max(MIN_CROWD, (online / this.#interval) * CROWD_FACTOR)
    const jitter = isCrowd ? WIDE_JITTER : JITTER
    return Math.max(1, Math.round(this.#interval * (1 - jitter + Math.random() * 2 * jitter)))
  }
}
