/**
 * The names of the list's states: `<wall milliseconds>.<tick>.<life>`, in base 36. This life reads the tick; of a version that another
 * node gave, the wall time says from when on to tell changes. What was given before this life, by whomever, is too old: what changed then
 * is not known here.
 */
import type { Clock } from '#backend/platform/clock.ts'
import type { Moment } from '#backend/masterlist/registry/registry.ts'

/** What another node had shown by then is shown here so much later at the most. What is told twice does no harm. */
const LAG_MS = 10_000
/** How far another node's clock may be ahead of this one's; LAG_MS has room for it. */
const AHEAD_MS = 2000
/** The wall clock has been set if it moves by more than this against the uptime. */
const JUMP_MS = 1000
/** At least as many as `ShownLog` keeps. */
const MOST_TICKS = 4096
/** It is looked at four times a second: with more between two looks this node stood still, and read nothing of what others said. */
const STOOD_STILL_MS = 2000

const VERSION = /^([0-9a-z]{1,9})\.([0-9a-z]{1,8})\.([0-9A-Za-z]{1,16})$/
const isVersionLike = /^[\w.-]{1,64}$/

export class Versions {
  readonly #clock: Clock
  readonly #life: string
  /** The wall time of each of the last ticks; of all that are compared, none is before its forerunner. */
  readonly #walls = new Float64Array(MOST_TICKS)
  #tick = 0
  #current = ''
  /** How far the wall clock was ahead of the uptime. */
  #offset = 0
  /**
   * The first tick, and its wall time, since which the clock has not been set and nodes heard of each other's changes in time: only these
   * are compared with other nodes' times.
   */
  #firstTick = 0
  #firstWall = 0
  readonly #isBehind: () => boolean
  /** The uptime of the last look. */
  #lookedAt: number | undefined
  /** Until which uptime what it was behind with may not be in a tick yet. */
  #behindUntil = -Infinity

  /**
   * @param life names this life of this program; letters and digits.
   * @param isBehind whether other nodes may have shown changes long ago that this one does not know, or the other way round. Then, and a
   * little longer, its versions are too old for them, and theirs for it.
   */
  constructor(clock: Clock, life: string, isBehind: () => boolean) {
    this.#clock = clock
    this.#life = life
    this.#isBehind = isBehind
    this.name(0, { uptime: clock.uptime(), now: clock.now() })
  }

  /** The version of the newest tick. */
  get current(): string {
    return this.#current
  }

  /** Names a tick; each has to be named, in their order. */
  name(tick: number, { uptime, now }: Moment): void {
    const wall = Math.floor(now)
    if (tick === 0 || Math.abs(now - uptime - this.#offset) > JUMP_MS) {
      this.#firstTick = tick
      this.#firstWall = wall
      this.#offset = now - uptime
    }
    const before = this.#walls[(tick - 1) % MOST_TICKS] ?? 0
    this.#walls[tick % MOST_TICKS] = tick === this.#firstTick ? wall : Math.max(wall, before)
    this.#tick = tick
    this.beat({ uptime, now })
    this.#current = `${(uptime < this.#behindUntil ? 0 : wall).toString(36)}.${tick.toString(36)}.${this.#life}`
  }

  /** Called often, also where there is no tick to name: notices that this node is behind. */
  beat({ uptime, now }: Moment): void {
    const stoodStill = uptime - (this.#lookedAt ?? uptime) > STOOD_STILL_MS
    this.#lookedAt = uptime
    // Asked in any case, for what is late is known by looking often.
    if (!this.#isBehind() && !stoodStill) return
    this.#behindUntil = uptime + LAG_MS
    this.#firstTick = this.#tick
    this.#firstWall = Math.max(this.#firstWall, Math.floor(now))
  }

  /** The tick after which changes are to be told to who has a version. */
  tickOf(version: string): number | 'too-old' | 'invalid' {
    const [, wall = '', tick = '', life] = VERSION.exec(version) ?? []
    if (life === undefined) return isVersionLike.test(version) ? 'too-old' : 'invalid'
    if (life !== this.#life) return this.#tickAt(Number.parseInt(wall, 36))
    const own = Number.parseInt(tick, 36)
    return own > this.#tick ? 'too-old' : own
  }

  /** The last tick that was shown here well before another node's version. */
  #tickAt(wall: number): number | 'too-old' {
    const from = wall - LAG_MS
    if (this.#isSetSince() || from < this.#firstWall || wall > this.#clock.now() + AHEAD_MS) return 'too-old'
    let low = Math.max(this.#firstTick, this.#tick - MOST_TICKS + 1)
    if ((this.#walls[low % MOST_TICKS] ?? 0) > from) return 'too-old'
    let high = this.#tick
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if ((this.#walls[middle % MOST_TICKS] ?? 0) <= from) low = middle
      else high = middle - 1
    }
    return low
  }

  /** Whether the clock was set after the newest tick: the next one begins a new comparison. */
  #isSetSince(): boolean {
    return Math.abs(this.#clock.now() - this.#clock.uptime() - this.#offset) > JUMP_MS
  }
}
