/** What has changed on the list since a version: made when first asked for after a tick, and kept until the next one. */
import { countsJson, rowJson } from './listed-row.ts'
import type { Moment } from './registry.ts'
import type { Change, ShownLog } from './shown-log.ts'
import { type Variants, bodyOf } from './snapshot.ts'
import type { Versions } from './versions.ts'

/** One tick's changes, as a stream sends them. */
export interface Tick {
  readonly version: string
  readonly json: string
}

type DeltaJson = `{${string}}`
type Refusal = 'too-old' | 'invalid'

/**
 * Readers come from many versions: the older one is, the more of them share an answer, by being told some changes again that they have
 * already. In ticks: from which age on, and how many versions share one answer.
 */
const SHARED = [
  [256, 256],
  [64, 16],
  [8, 4],
] as const
/** Changes written between two breaths of the event loop: about a millisecond. */
const CHANGES_IN_A_SLICE = 2000

export class Changes {
  readonly #log: ShownLog
  readonly #versions: Versions
  readonly #listeners = new Set<(tick: Tick) => void>()
  /** By the tick they begin after. */
  readonly #bodies = new Map<number, Variants | Promise<Variants>>()

  constructor(log: ShownLog, versions: Versions) {
    this.#log = log
    this.#versions = versions
  }

  /** What a reader who has applied everything up to now has; also X-List-Version of a list drafted now. */
  get version(): string {
    return this.#versions.current
  }

  /** `{version, changed, removed}` since a version: small ones at once, large ones in slices. */
  since(version: string): Variants | Promise<Variants> | Refusal {
    const from = this.#from(version)
    if (typeof from !== 'number') return from
    const known = this.#bodies.get(from)
    if (known !== undefined) return known
    const { tick } = this.#log
    const changes = this.#log.changesSince(from)
    // Neither tick's number is another's in this life, so the body needs no hash.
    const etag = `W/"${this.version}-${from.toString(36)}"`
    if (changes.length <= CHANGES_IN_A_SLICE) {
      const body = bodyOf(this.#written(this.version, changes), etag)
      this.#bodies.set(from, body)
      return body
    }
    const making = this.#inSlices(this.version, changes).then((json) => bodyOf(json, etag))
    this.#bodies.set(from, making)
    making.then(
      (body) => tick === this.#log.tick && this.#bodies.set(from, body),
      () => this.#bodies.delete(from),
    )
    return making
  }

  /**
   * The delta's JSON alone, for a stream that goes on: at once, so that nothing falls between it and the next tick. @param most of more
   * changes than this nothing is written.
   */
  deltaJson(version: string, most = Infinity): DeltaJson | Refusal {
    const from = this.#from(version)
    if (typeof from !== 'number') return from
    const changes = this.#log.changesSince(from)
    return changes.length > most ? 'too-old' : this.#written(this.version, changes)
  }

  /** Called after each tick that changed something, with that tick's delta. Answers how to stop. */
  onTick(listener: (tick: Tick) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** The log has shown something. */
  ticked(at: Moment): void {
    const { tick } = this.#log
    this.#versions.name(tick, at)
    this.#bodies.clear()
    if (this.#listeners.size === 0) return
    const { version } = this
    const told = { version, json: this.#written(version, this.#log.changesSince(tick - 1)) }
    for (const listener of this.#listeners) listener(told)
  }

  #from(version: string): number | Refusal {
    const tick = this.#versions.tickOf(version)
    if (typeof tick !== 'number') return tick
    if (tick < this.#log.from) return 'too-old'
    const age = this.#log.tick - tick
    const shared = SHARED.find(([from]) => age >= from)?.[1] ?? 1
    return Math.max(tick - (tick % shared), this.#log.from)
  }

  #written(version: string, changes: readonly Change[]): DeltaJson {
    const [changed, removed] = writtenOf(changes)
    return deltaOf(version, changed, removed)
  }

  async #inSlices(version: string, changes: readonly Change[]): Promise<string> {
    let [changed, removed] = ['', '']
    for (let from = 0; from < changes.length; from += CHANGES_IN_A_SLICE) {
      const [more, gone] = writtenOf(changes.slice(from, from + CHANGES_IN_A_SLICE))
      changed += more
      removed += gone
      await new Promise<void>((resolve) => setImmediate(resolve))
    }
    return deltaOf(version, changed, removed)
  }
}

/** Each with a comma behind it. */
function writtenOf(changes: readonly Change[]): [changed: string, removed: string] {
  let [changed, removed] = ['', '']
  for (const change of changes) {
    if ('removed' in change) removed += `${JSON.stringify(change.removed)},`
    else changed += `${change.isWhole ? rowJson(change.row) : countsJson(change.row)},`
  }
  return [changed, removed]
}

function deltaOf(version: string, changed: string, removed: string): DeltaJson {
  return `{"version":${JSON.stringify(version)},"changed":[${changed.slice(0, -1)}],"removed":[${removed.slice(0, -1)}]}`
}
