/** What has changed on the list since a version: made when first asked for after a tick, and kept until the next one. */
import { breathe } from '#backend/platform/node-internals/breathe.ts'
import { countsJson, rowJson } from '#backend/masterlist/registry/listed-row.ts'
import type { Moment } from '#backend/masterlist/registry/registry.ts'
import type { Change, ShownLog } from '#backend/masterlist/registry/shown-log.ts'
import { Body, bodyOf } from './snapshot.ts'
import type { Versions } from './versions.ts'

/** One tick's changes, as a stream sends them. */
export interface Tick {
  readonly version: string
  /** Undefined where that is too much to be told: who has followed so far reads the list anew. */
  readonly json: string | undefined
}

/** Runs what takes long when its turn comes; undefined where it is refused. */
export type InTurn = <T>(make: () => Promise<T>) => Promise<T> | undefined

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
/** Beyond so many the compressed list is shorter than the changes. */
const MOST_CHANGES = 10_000
/** What is written at once takes about a millisecond: so many changes of players (a whole row counts as several), or characters. */
const LIGHT_CHANGES = 2000
const WHOLE_COUNTS_AS = 4
const CHARACTERS_IN_A_SLICE = 256 * 1024
/** What a stream tells at once: a tick, or what its reader has missed. */
const MOST_STREAMED_CHANGES = 4000
const MOST_STREAMED_CHARACTERS = 512 * 1024
/** Changes in all the bodies that are kept. */
const MOST_KEPT_CHANGES = 40_000

interface Kept {
  body: Body | Promise<Body>
  readonly changes: number
}

export class Changes {
  readonly #log: ShownLog
  readonly #versions: Versions
  readonly #listeners = new Set<(tick: Tick) => void>()
  /** By the tick they begin after. */
  readonly #bodies = new Map<number, Kept>()
  #keptChanges = 0
  /** What changed since this tick is too much to be told, and stays so: of a server that changes again another change is told. */
  #tooMuchUpTo = -1

  constructor(log: ShownLog, versions: Versions) {
    this.#log = log
    this.#versions = versions
  }

  /** What a reader who has applied everything up to now has; also X-List-Version of a list drafted now. */
  get version(): string {
    return this.#versions.current
  }

  /**
   * `{version, changed, removed}` since a version: small ones at once, large ones in slices and in turn. Undefined where that was refused.
   */
  since(version: string, inTurn: InTurn): Body | Promise<Body> | Refusal | undefined {
    const from = this.#from(version)
    if (typeof from !== 'number') return from
    if (from <= this.#tooMuchUpTo) return 'too-old'
    const known = this.#bodies.get(from)
    if (known !== undefined) return known.body
    const changes = this.#log.changesSince(from, MOST_CHANGES + 1)
    if (changes.length > MOST_CHANGES) {
      this.#tooMuchUpTo = from
      return 'too-old'
    }
    const now = this.version
    // Neither tick's number is another's in this life, so the body needs no hash.
    const etag = `W/"${now}-${from.toString(36)}"`
    if (isLight(changes)) {
      const body = bodyOf(written(now, changes) ?? '', etag)
      this.#keep(from, { body, changes: changes.length })
      return body
    }
    const making = inTurn(async () => new Body(etag, { identity: await writtenInSlices(now, changes) }))
    if (making === undefined) return undefined
    const kept: Kept = { body: making, changes: changes.length }
    this.#keep(from, kept)
    making.then(
      (body) => (kept.body = body),
      () => this.#letGo(from, kept),
    )
    return making
  }

  /** The same for a stream that goes on: at once, so that nothing falls between it and the next tick. What is too much for that is too old. */
  deltaJson(version: string): DeltaJson | Refusal {
    const from = this.#from(version)
    return typeof from === 'number' ? (this.#streamed(from) ?? 'too-old') : from
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
    this.#keptChanges = 0
    if (this.#listeners.size === 0) return
    // Of a very large tick the log may have let go of a part already.
    const told: Tick = { version: this.version, json: this.#log.from < tick ? this.#streamed(tick - 1) : undefined }
    for (const listener of this.#listeners) listener(told)
  }

  #streamed(from: number): DeltaJson | undefined {
    const changes = this.#log.changesSince(from, MOST_STREAMED_CHANGES + 1)
    return changes.length > MOST_STREAMED_CHANGES ? undefined : written(this.version, changes, MOST_STREAMED_CHARACTERS)
  }

  /** The first ones go, never the last. */
  #keep(from: number, kept: Kept): void {
    this.#bodies.set(from, kept)
    this.#keptChanges += kept.changes
    for (const [first, other] of this.#bodies) {
      if (this.#keptChanges <= MOST_KEPT_CHANGES || other === kept) return
      this.#letGo(first, other)
    }
  }

  #letGo(from: number, kept: Kept): void {
    if (this.#bodies.get(from) !== kept) return
    this.#bodies.delete(from)
    this.#keptChanges -= kept.changes
  }

  #from(version: string): number | Refusal {
    const tick = this.#versions.tickOf(version)
    if (typeof tick !== 'number') return tick
    if (tick < this.#log.from) return 'too-old'
    const age = this.#log.tick - tick
    const shared = SHARED.find(([from]) => age >= from)?.[1] ?? 1
    return Math.max(tick - (tick % shared), this.#log.from)
  }
}

function isLight(changes: readonly Change[]): boolean {
  let work = changes.length
  for (const change of changes) if ('isWhole' in change && change.isWhole) work += WHOLE_COUNTS_AS - 1
  return work <= LIGHT_CHANGES
}

/** Two lists of JSON, each entry with a comma behind it. */
class Writing {
  changed = ''
  removed = ''

  add(change: Change): void {
    if ('removed' in change) this.removed += `${JSON.stringify(change.removed)},`
    else this.changed += `${change.isWhole ? rowJson(change.row) : countsJson(change.row)},`
  }

  get characters(): number {
    return this.changed.length + this.removed.length
  }
}

/** Undefined where it becomes longer than `most` characters. */
function written(version: string, changes: readonly Change[], most = Infinity): DeltaJson | undefined {
  const writing = new Writing()
  for (const change of changes) {
    writing.add(change)
    if (writing.characters > most) return undefined
  }
  const { changed, removed } = writing
  return `{"version":${JSON.stringify(version)},"changed":[${changed.slice(0, -1)}],"removed":[${removed.slice(0, -1)}]}`
}

async function writtenInSlices(version: string, changes: readonly Change[]): Promise<Buffer> {
  const [changed, removed]: [Buffer[], Buffer[]] = [[], []]
  let writing = new Writing()
  const flush = () => {
    changed.push(Buffer.from(writing.changed))
    removed.push(Buffer.from(writing.removed))
    writing = new Writing()
  }
  for (const change of changes) {
    writing.add(change)
    if (writing.characters < CHARACTERS_IN_A_SLICE) continue
    flush()
    await breathe()
  }
  flush()
  return Buffer.concat([
    Buffer.from(`{"version":${JSON.stringify(version)},"changed":[`),
    ...withoutLastComma(changed),
    Buffer.from('],"removed":['),
    ...withoutLastComma(removed),
    Buffer.from(']}'),
  ])
}

function withoutLastComma(parts: readonly Buffer[]): Buffer[] {
  const filled = parts.filter((part) => part.length > 0)
  return filled.map((part, index) => (index === filled.length - 1 ? part.subarray(0, -1) : part))
}
