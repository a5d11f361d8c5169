/** List versions `<wall milliseconds>.<tick>.<run id>`, numbers in base 36. A process reads the tick of its own versions, and the wall time of other nodes' versions. */
import type { Clock } from '#backend/platform/clock.ts'
import { MAX_TICKS } from '#backend/masterlist/registry/change-log.ts'
import type { Moment } from '#backend/masterlist/registry/registry.ts'

/** The maximum delay until this node publishes another node's changes. Changes that are sent twice do no harm. */
const MAX_NODE_LAG_MS = 10_000
/** How far another node's clock may be ahead; included in `MAX_NODE_LAG_MS`. */
const MAX_CLOCK_AHEAD_MS = 2000
/** If the wall clock moves by more than this relative to uptime, it was set. */
const MIN_CLOCK_JUMP_MS = 1000
/** A version older than this gets a tick without changes, so that nodes that start later accept it too. */
const MAX_VERSION_AGE_MS = 10_000
/** If more than this passes between two cycles, the process was paused. */
const MIN_PAUSE_MS = 2000

const VERSION = /^([0-9a-z]{1,9})\.([0-9a-z]{1,8})\.([0-9A-Za-z]{1,16})$/
const VERSION_LIKE = /^[\w.-]{1,64}$/

export class Versions {
  current = ''
  readonly #clock: Clock
  readonly #runId: string
  /** Wall times of the last ticks, monotonic since `#firstTick`. */
  readonly #walls = new Float64Array(MAX_TICKS)
  #tick = 0
  /** Wall clock minus uptime. */
  #clockOffset = 0
  /** Ticks since this one are comparable with other nodes' times: since then the clock was not set, and this node was not behind. */
  #firstTick = 0
  #firstWall = 0
  #assignedAt = 0
  readonly #isBehind: () => boolean
  readonly #isSingleNode: boolean
  #cycleAt: number | undefined
  /** Ticks before this uptime may lack old changes. */
  #behindUntil = -Infinity

  /** @param runId unique per start. @param isBehind whether this node or others may lack old changes. */
  constructor(clock: Clock, runId: string, isBehind: () => boolean, isSingleNode = false) {
    this.#isSingleNode = isSingleNode
    this.#clock = clock
    this.#runId = runId
    this.#isBehind = isBehind
    this.assign(0, { uptime: clock.uptime(), now: clock.now() })
  }

  /** Call for every tick, in order. */
  assign(tick: number, { uptime, now }: Moment): void {
    const wall = Math.floor(now)
    if (tick === 0 || Math.abs(now - uptime - this.#clockOffset) > MIN_CLOCK_JUMP_MS) {
      this.#firstTick = tick
      this.#firstWall = wall
      this.#clockOffset = now - uptime
    }
    const previous = this.#walls[(tick - 1) % MAX_TICKS] ?? 0
    this.#walls[tick % MAX_TICKS] = tick === this.#firstTick ? wall : Math.max(wall, previous)
    this.#tick = tick
    this.#assignedAt = uptime
    this.onCycle({ uptime, now })
    this.current = `${(uptime < this.#behindUntil ? 0 : wall).toString(36)}.${tick.toString(36)}.${this.#runId}`
  }

  /** Whether a tick without changes is due. Only other nodes read a version's time, so a single node needs none. */
  isTickDue({ uptime }: Moment): boolean {
    return !this.#isSingleNode && uptime - this.#assignedAt >= MAX_VERSION_AGE_MS
  }

  /** Detects that this node is behind. */
  onCycle({ uptime, now }: Moment): void {
    const wasPaused = uptime - (this.#cycleAt ?? uptime) > MIN_PAUSE_MS
    this.#cycleAt = uptime
    if (!this.#isBehind() && !wasPaused) return
    this.#behindUntil = uptime + MAX_NODE_LAG_MS
    this.#firstTick = this.#tick
    this.#firstWall = Math.max(this.#firstWall, Math.floor(now))
  }

  /** Returns the tick after which changes are new to a reader of this version. */
  tickOf(version: string): number | 'too-old' | 'invalid' {
    const [, wall = '', tick = '', runId] = VERSION.exec(version) ?? []
    if (runId === undefined) return VERSION_LIKE.test(version) ? 'too-old' : 'invalid'
    if (runId !== this.#runId) return this.#tickAt(Number.parseInt(wall, 36))
    const own = Number.parseInt(tick, 36)
    return own > this.#tick ? 'too-old' : own
  }

  /** Returns the last tick that this node published well before another node's version. */
  #tickAt(wall: number): number | 'too-old' {
    const from = wall - MAX_NODE_LAG_MS
    if (this.#wasClockSet() || from < this.#firstWall || wall > this.#clock.now() + MAX_CLOCK_AHEAD_MS) return 'too-old'
    const oldest = Math.max(this.#firstTick, this.#tick - MAX_TICKS + 1)
    for (let tick = this.#tick; tick >= oldest; tick -= 1) if ((this.#walls[tick % MAX_TICKS] ?? 0) <= from) return tick
    return 'too-old'
  }

  /** Whether the clock was set after the newest tick. */
  #wasClockSet(): boolean {
    return Math.abs(this.#clock.now() - this.#clock.uptime() - this.#clockOffset) > MIN_CLOCK_JUMP_MS
  }
}
