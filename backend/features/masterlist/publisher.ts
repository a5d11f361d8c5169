/**
 * Makes the whole list out of what is shown, while somebody reads it: one immutable snapshot at a time, swapped in. Readers hardly ever
 * wait for it; it never stands in the way of announces for longer than a slice.
 */
import type { Clock } from '#backend/clock.ts'
import type { Changes } from './changes.ts'
import { type ShownRow, isConfirmed } from './listed-row.ts'
import type { ServerRecord } from './server-record.ts'
import type { ShownLog } from './shown-log.ts'
import { type Snapshot, etagOf, packed } from './snapshot.ts'

/** `playersCount` is 0 to 4096 (contract section 11). */
const PLAYER_STEPS = 4097
/** Up to so many servers the list is at most a second behind; beyond, publishing takes about a hundredth of a core. */
const PROMPT_SERVERS = 10_000
const LONGEST_PROMPT_REST_MS = 500
const LONGEST_REST_MS = 30_000
/** Rest for each millisecond of work. Two compressions run beside each other, so a wall-clock millisecond may be two of a core. */
const PROMPT_REST_FOR_EACH_MS = 20
const REST_FOR_EACH_MS = 100
/** A change is shown by a tick within 300 ms; a list that misses a tick older than this waits for the next build. */
const PROMPT_LAG_MS = 700
/** How much later than its rest a build may be before readers wait for it: the beats begin it. */
const LATE_MS = 1000
/** So long after the last read the beats build on. */
const READ_WITHIN_MS = 10_000
/** So long after the last read an old list is let go of. */
const FORGOTTEN_AFTER_MS = 60_000

/** How many servers and players the list shows. */
export interface Info {
  readonly version: string
  readonly json: string
  readonly etag: string
}

export class Publisher {
  readonly #clock: Clock
  readonly #log: ShownLog
  readonly #changes: Changes
  readonly #inNameOrder: () => readonly ServerRecord[]
  #snapshot: Snapshot | undefined
  /** The uptime of the first tick that the snapshot does not show; undefined while it shows all. */
  #staleSince: number | undefined
  /** The same of the one that is being made. */
  #nextStaleSince: number | undefined
  #building: Promise<Snapshot> | undefined
  #readAt = -Infinity
  #nextBuildAt = -Infinity
  #info: Info | undefined
  /** How long the last build took. */
  milliseconds = 0

  constructor(clock: Clock, log: ShownLog, changes: Changes, inNameOrder: () => readonly ServerRecord[]) {
    this.#clock = clock
    this.#log = log
    this.#changes = changes
    this.#inNameOrder = inNameOrder
  }

  /** The list for a reader: the one that lies ready, or where that is too old, one that is being made for all who wait. */
  read(): Snapshot | Promise<Snapshot> {
    const uptime = this.#clock.uptime()
    this.#readAt = uptime
    if (this.#snapshot !== undefined && !this.#isTooOld(uptime)) return this.#snapshot
    return this.#building ?? this.#build(uptime)
  }

  get info(): Info {
    const { version } = this.#changes
    if (this.#info?.version === version) return this.#info
    const json = JSON.stringify({ serversCount: this.#log.servers, playersCount: this.#log.players })
    this.#info = { version, json, etag: etagOf(json) }
    return this.#info
  }

  /** The log has shown something. */
  ticked(uptime: number): void {
    this.#staleSince ??= uptime
    this.#nextStaleSince ??= uptime
  }

  /** Begins a build where one is due and somebody reads; resolves at once. @param failed is told where it fails. */
  beat(failed: (error: unknown) => void): void {
    const uptime = this.#clock.uptime()
    if (this.#staleSince === undefined || this.#building !== undefined) return
    if (uptime - this.#readAt > FORGOTTEN_AFTER_MS) this.#snapshot = undefined
    if (uptime - this.#readAt <= READ_WITHIN_MS && uptime >= this.#nextBuildAt) this.#build(uptime).catch(failed)
  }

  /** Resolves when no build is under way. */
  async idle(): Promise<void> {
    await this.#building?.catch(() => undefined)
  }

  #isTooOld(uptime: number): boolean {
    if (this.#staleSince === undefined) return false
    if (this.#log.servers <= PROMPT_SERVERS) return uptime - this.#staleSince > PROMPT_LAG_MS
    return uptime > this.#nextBuildAt + LATE_MS + 2 * this.milliseconds
  }

  #build(began: number): Promise<Snapshot> {
    this.#building = this.#make(began).finally(() => {
      this.#building = undefined
    })
    return this.#building
  }

  /**
   * What is shown is taken in one go; rows are immutable, so the slices may take their time. A server that was deleted since the last
   * tick is missing already, and the next delta says that it is gone.
   */
  async #make(began: number): Promise<Snapshot> {
    const { version } = this.#changes
    const rows = inListOrder(this.#inNameOrder())
    this.#nextStaleSince = undefined
    const body = await packed(rows)
    this.milliseconds = this.#clock.uptime() - began
    const isPrompt = rows.length <= PROMPT_SERVERS
    const rest = this.milliseconds * (isPrompt ? PROMPT_REST_FOR_EACH_MS : REST_FOR_EACH_MS)
    this.#nextBuildAt = began + Math.min(rest, isPrompt ? LONGEST_PROMPT_REST_MS : LONGEST_REST_MS)
    this.#snapshot = { etag: body.etag, body: (encoding) => body.body(encoding), version, rows }
    this.#staleSince = this.#nextStaleSince
    return this.#snapshot
  }
}

/**
 * Promoted first, then by players (those that are doubted count as none), then by name and public id; who is not ranked comes last. The
 * names' order is kept by the registry, so this is one stable distribution over the possible player counts: linear, where a sort of
 * 30,000 servers would take tens of milliseconds.
 */
export function inListOrder(byName: readonly ServerRecord[]): ShownRow[] {
  const steps = Array.from<ShownRow[] | undefined>({ length: PLAYER_STEPS * 2 + 1 })
  for (const { shown } of byName) {
    if (shown === undefined) continue
    const step = stepOf(shown)
    const there = steps[step]
    if (there === undefined) steps[step] = [shown]
    else there.push(shown)
  }
  const ordered: ShownRow[] = []
  for (const there of steps) if (there !== undefined) ordered.push(...there)
  return ordered
}

/** What the list is sorted by first, the smallest in front; rows of one step follow each other by name and public id. */
export function stepOf(row: ShownRow): number {
  const { fields, announced } = row
  if (fields.standing.isUnranked) return PLAYER_STEPS * 2
  return PLAYER_STEPS - 1 - (isConfirmed(row) ? announced.playersCount : 0) + (fields.promoted ? 0 : PLAYER_STEPS)
}
