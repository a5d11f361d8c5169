/** Versions `<wall milliseconds>.<tick>.<life>`, in base 36: a process reads the tick of its own, and the wall time of other nodes'. */
import type { Clock } from '#backend/platform/clock.ts'
import type { Moment } from '#backend/masterlist/registry/registry.ts'

/** How much later this node publishes another's changes, at most. Changes that are sent twice do no harm. */
const LAG_MS = 10_000
/** How far another node's clock may be ahead. Part of `LAG_MS`. */
const AHEAD_MS = 2000
/** If the wall clock moves by more than this against the uptime, it was set. */
const JUMP_MS = 1000
/** At least as many as `ShownLog` keeps. */
const MAX_TICKS = 4096
/** If more than this passes between two beats, the process was paused. */
const PAUSED_MS = 2000

const VERSION = /^([0-9a-z]{1,9})\.([0-9a-z]{1,8})\.([0-9A-Za-z]{1,16})$/
const isVersionLike = /^[\w.-]{1,64}$/

export class Versions {
  current = ''
  readonly #clock: Clock
  readonly #life: string
  /** The wall times of the last ticks, monotonic since `#firstTick`. */
  readonly #walls = new Float64Array(MAX_TICKS)
  #tick = 0
  /** The wall clock less the uptime. */
  #offset = 0
  /** Ticks since then may be compared with other nodes' times: the clock was not set, nor this node behind. */
  #firstTick = 0
  #firstWall = 0
  readonly #isBehind: () => boolean
  #beatAt: number | undefined
  /** Until this uptime ticks may lack old changes. */
  #behindUntil = -Infinity

  /** @param life names this run of the process. @param isBehind whether this node or others may lack old changes. */
  constructor(clock: Clock, life: string, isBehind: () => boolean) {
    this.#clock = clock
    this.#life = life
    this.#isBehind = isBehind
    this.assign(0, { uptime: clock.uptime(), now: clock.now() })
  }

  /** Must be called for every tick, in order. */
  assign(tick: number, { uptime, now }: Moment): void {
    const wall = Math.floor(now)
    if (tick === 0 || Math.abs(now - uptime - this.#offset) > JUMP_MS) {
      this.#firstTick = tick
      this.#firstWall = wall
      this.#offset = now - uptime
    }
    const previous = this.#walls[(tick - 1) % MAX_TICKS] ?? 0
    this.#walls[tick % MAX_TICKS] = tick === this.#firstTick ? wall : Math.max(wall, previous)
    this.#tick = tick
    this.onCycle({ uptime, now })
    this.current = `${(uptime < this.#behindUntil ? 0 : wall).toString(36)}.${tick.toString(36)}.${this.#life}`
  }

  /** Notices that this node is behind. */
  onCycle({ uptime, now }: Moment): void {
    const wasPaused = uptime - (this.#beatAt ?? uptime) > PAUSED_MS
    this.#beatAt = uptime
    // `isBehind` must be asked with every beat.
    if (!this.#isBehind() && !wasPaused) return
    this.#behindUntil = uptime + LAG_MS
    this.#firstTick = this.#tick
    this.#firstWall = Math.max(this.#firstWall, Math.floor(now))
  }

  /** The tick after which changes are new to a reader of this version. */
  tickOf(version: string): number | 'too-old' | 'invalid' {
    const [, wall = '', tick = '', life] = VERSION.exec(version) ?? []
    if (life === undefined) return isVersionLike.test(version) ? 'too-old' : 'invalid'
    if (life !== this.#life) return this.#tickAt(Number.parseInt(wall, 36))
    const own = Number.parseInt(tick, 36)
    return own > this.#tick ? 'too-old' : own
  }

  /** The last tick that this node published well before another node's version. */
  #tickAt(wall: number): number | 'too-old' {
    const from = wall - LAG_MS
    if (this.#isSetSince() || from < this.#firstWall || wall > this.#clock.now() + AHEAD_MS) return 'too-old'
    const oldest = Math.max(this.#firstTick, this.#tick - MAX_TICKS + 1)
    for (let tick = this.#tick; tick >= oldest; tick -= 1) if ((this.#walls[tick % MAX_TICKS] ?? 0) <= from) return tick
    return 'too-old'
  }

  /** Whether the clock was set after the newest tick. */
  #isSetSince(): boolean {
    return Math.abs(this.#clock.now() - this.#clock.uptime() - this.#offset) > JUMP_MS
  }
}
