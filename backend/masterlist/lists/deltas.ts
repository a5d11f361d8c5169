/** Deltas of the list: each is made when first asked for after a tick, and kept until the next one. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { countsJson, rowJson } from '#backend/masterlist/registry/listed-row.ts'
import type { Moment } from '#backend/masterlist/registry/registry.ts'
import type { Change, ChangeLog } from '#backend/masterlist/registry/change-log.ts'
import { EncodedBody, etagOf } from './snapshot.ts'
import type { Versions } from './versions.ts'

export interface Tick {
  readonly version: string
  /** Undefined where there are too many to stream: readers must read the list again. */
  readonly json: string | undefined
}

/** Runs expensive work when its turn comes; undefined where it is rejected. */
export type RunQueued = <T>(make: () => Promise<T>) => Promise<T> | undefined

type DeltaJson = `{${string}}`
type VersionError = 'too-old' | 'invalid'

/** In ticks: from this age on, so many versions share one delta. Their readers get some changes twice. */
const SHARED_ANSWERS = [
  [256, 256],
  [64, 16],
  [8, 4],
] as const
/** Beyond this many the compressed list is shorter. */
const MAX_CHANGES = 10_000
/** About a millisecond of writing, in changes of players. */
const MAX_LIGHT_WORK = 2000
const WORK_PER_WHOLE_ROW = 4
const CHARACTERS_PER_SLICE = 256 * 1024
/** Per streamed event. */
const MAX_STREAMED_CHANGES = 4000
const MAX_STREAMED_CHARACTERS = 512 * 1024
/** Changes in all kept bodies. */
const MAX_KEPT_CHANGES = 40_000

export class Deltas {
  readonly #log: ChangeLog
  readonly #versions: Versions
  readonly #listeners = new Set<(tick: Tick) => void>()
  /** By the tick after which they begin. */
  readonly #bodies = new LRUCache<number, EncodedBody | Promise<EncodedBody>>({ maxSize: MAX_KEPT_CHANGES })
  /** Since this tick, and thus earlier ones, there are too many changes. */
  #tooManySince = -1

  constructor(log: ChangeLog, versions: Versions) {
    this.#log = log
    this.#versions = versions
  }

  get version(): string {
    return this.#versions.current
  }

  /** `{version, changed, removed}` since a version: small ones at once, large ones in slices and in turn; undefined where that is rejected. */
  since(version: string, inTurn: RunQueued): EncodedBody | Promise<EncodedBody> | VersionError | undefined {
    const from = this.#from(version)
    if (typeof from !== 'number') return from
    if (from <= this.#tooManySince) return 'too-old'
    const known = this.#bodies.get(from)
    if (known !== undefined) return known
    const changes = this.#log.changesSince(from, MAX_CHANGES + 1)
    if (changes.length > MAX_CHANGES) {
      this.#tooManySince = from
      return 'too-old'
    }
    const { version: current } = this
    const size = Math.max(changes.length, 1)
    // A tick is unique in this life, so the body needs no hash.
    const etag = `W/"${current}-${from.toString(36)}"`
    if (workOf(changes) <= MAX_LIGHT_WORK) {
      const body = new EncodedBody(etag, { identity: Buffer.from(written(current, changes) ?? '') })
      this.#bodies.set(from, body, { size })
      return body
    }
    const making = inTurn(async () => new EncodedBody(etag, { identity: await writtenInSlices(current, changes) }))
    if (making === undefined) return undefined
    this.#bodies.set(from, making, { size })
    const replace = (body: EncodedBody | undefined) => {
      if (this.#bodies.peek(from) === making) this.#bodies.set(from, body, { size })
    }
    making.then(replace, () => replace(undefined))
    return making
  }

  /** The same for a stream. Synchronous, so that no tick comes in between. */
  deltaJson(version: string): DeltaJson | VersionError {
    const from = this.#from(version)
    return typeof from === 'number' ? (this.#streamed(from) ?? 'too-old') : from
  }

  onTick(listener: (tick: Tick) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  publishTick(at: Moment): void {
    const { tick } = this.#log
    this.#versions.assign(tick, at)
    this.#bodies.clear()
    if (this.#listeners.size === 0) return
    // The log may have dropped a part of a very large tick already.
    const published: Tick = { version: this.version, json: this.#log.firstTick < tick ? this.#streamed(tick - 1) : undefined }
    for (const listener of this.#listeners) listener(published)
  }

  #streamed(from: number): DeltaJson | undefined {
    const changes = this.#log.changesSince(from, MAX_STREAMED_CHANGES + 1)
    return changes.length > MAX_STREAMED_CHANGES ? undefined : written(this.version, changes, MAX_STREAMED_CHARACTERS)
  }

  #from(version: string): number | VersionError {
    const tick = this.#versions.tickOf(version)
    if (typeof tick !== 'number') return tick
    if (tick < this.#log.firstTick) return 'too-old'
    const age = this.#log.tick - tick
    const shared = SHARED_ANSWERS.find(([from]) => age >= from)?.[1] ?? 1
    return Math.max(tick - (tick % shared), this.#log.firstTick)
  }
}

export class ListInfo {
  readonly #log: ChangeLog
  readonly #changes: Deltas

  constructor(log: ChangeLog, changes: Deltas) {
    this.#log = log
    this.#changes = changes
  }

  get() {
    const json = JSON.stringify({ serversCount: this.#log.servers, playersCount: this.#log.players })
    return { version: this.#changes.version, json, etag: etagOf(json) }
  }
}

function workOf(changes: readonly Change[]): number {
  return changes.reduce((work, change) => work + ('isWhole' in change && change.isWhole ? WORK_PER_WHOLE_ROW : 1), 0)
}

function* deltaSlices(version: string, changes: readonly Change[]): Generator<string> {
  const removed: string[] = []
  let text = `{"version":${JSON.stringify(version)},"changed":[`
  let separator = ''
  for (const change of changes) {
    if ('removed' in change) {
      removed.push(change.removed)
      continue
    }
    text += separator + (change.isWhole ? rowJson(change.row) : countsJson(change.row))
    separator = ','
    if (text.length < CHARACTERS_PER_SLICE) continue
    yield text
    text = ''
  }
  yield `${text}],"removed":${JSON.stringify(removed)}}`
}

/** Undefined where it is longer than `max` characters. */
function written(version: string, changes: readonly Change[], max = Infinity): DeltaJson | undefined {
  let json = ''
  for (const slice of deltaSlices(version, changes)) {
    json += slice
    if (json.length > max) return undefined
  }
  return json as DeltaJson
}

async function writtenInSlices(version: string, changes: readonly Change[]): Promise<Buffer> {
  const slices: Buffer[] = []
  for (const slice of deltaSlices(version, changes)) {
    slices.push(Buffer.from(slice))
    await yieldToEventLoop()
  }
  return Buffer.concat(slices)
}
