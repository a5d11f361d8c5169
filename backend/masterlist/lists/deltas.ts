/** Deltas of the list. Each is built on first request after a tick and cached until the next tick. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { countsJson } from '#backend/masterlist/registry/listed-row.ts'
import type { Change, ChangeLog } from '#backend/masterlist/registry/change-log.ts'
import { EncodedBody } from './encoded-body.ts'

export interface Tick {
  readonly version: string
  /** Undefined if there are too many changes to stream: readers must reload the list. */
  readonly json: string | undefined
}

/** Runs expensive work, now or later. Rejects if too much is waiting. */
export type RunBuild = <T>(build: () => Promise<T>) => Promise<T>

type DeltaJson = `{${string}}`
type VersionError = 'too-old' | 'invalid'

/** Names the ticks of this list, and reads the versions of other nodes. */
interface Versions {
  readonly current: string
  /** Returns the tick after which changes are new to a reader of this version. */
  tickOf(version: string): number | VersionError
}

/** `[age, count]` in ticks: from this age on, `count` versions share one delta. Their readers get some changes twice. */
const VERSIONS_PER_DELTA = [
  [256, 256],
  [64, 16],
  [8, 4],
] as const
/** Beyond this, the compressed list is smaller than the delta. */
const MAX_CHANGES = 10_000
/** More changes than this are queued: serializing them takes about a millisecond. */
const MAX_UNQUEUED_CHANGES = 1000
const ROWS_PER_SLICE = 200
/** Limits per streamed event. */
const MAX_STREAMED_CHANGES = 4000
const MAX_STREAMED_CHARACTERS = 512 * 1024
const MAX_CACHED_BYTES = 32 * 1024 * 1024

export class Deltas {
  readonly #log: ChangeLog
  readonly #versions: Versions
  readonly #listeners = new Set<(tick: Tick) => void>()
  /** By the tick after which the delta begins. */
  readonly #bodies = new LRUCache<number, EncodedBody | 'too-old', RunBuild>({
    maxSize: MAX_CACHED_BYTES,
    sizeCalculation: ({ length }) => length,
    ignoreFetchAbort: true,
    fetchMethod: (from, _stale, { context: run }) => this.#build(from, run),
  })

  constructor(log: ChangeLog, versions: Versions) {
    this.#log = log
    this.#versions = versions
  }

  get version(): string {
    return this.#versions.current
  }

  /** Returns `{version, changed, removed}` up to the current version. @param run runs the build of a large delta. */
  async since(version: string, run: RunBuild): Promise<EncodedBody | VersionError> {
    const from = this.#startTick(version)
    return typeof from === 'number' ? await this.#bodies.forceFetch(from, { context: run }) : from
  }

  /** Like `since`, for a stream. Synchronous, so that no tick comes in between. */
  deltaJson(version: string): DeltaJson | VersionError {
    const from = this.#startTick(version)
    return typeof from === 'number' ? (this.#streamedDelta(from) ?? 'too-old') : from
  }

  onTick(listener: (tick: Tick) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Call after a tick was committed and has its version. */
  publishTick(): void {
    this.#bodies.clear()
    if (this.#listeners.size === 0) return
    const { tick, firstTick } = this.#log
    // The log may already have dropped part of a very large tick.
    const published: Tick = { version: this.version, json: firstTick < tick ? this.#streamedDelta(tick - 1) : undefined }
    for (const listener of this.#listeners) listener(published)
  }

  async #build(from: number, run: RunBuild): Promise<EncodedBody | 'too-old'> {
    const { version } = this
    const changes = this.#log.changesSince(from, MAX_CHANGES + 1)
    if (changes.length > MAX_CHANGES) return 'too-old'
    if (changes.length > MAX_UNQUEUED_CHANGES) await run(() => serializeRows(changes))
    const json = jsonOf(version, changes)
    // A tick is unique in this process, so the body needs no hash.
    return new EncodedBody(`W/"${version}-${from.toString(36)}"`, Buffer.byteLength(json), () => [json])
  }

  #streamedDelta(from: number): DeltaJson | undefined {
    const changes = this.#log.changesSince(from, MAX_STREAMED_CHANGES + 1)
    if (changes.length > MAX_STREAMED_CHANGES) return undefined
    const json = jsonOf(this.version, changes)
    return json.length > MAX_STREAMED_CHARACTERS ? undefined : json
  }

  #startTick(version: string): number | VersionError {
    const tick = this.#versions.tickOf(version)
    if (typeof tick !== 'number') return tick
    if (tick < this.#log.firstTick) return 'too-old'
    const age = this.#log.tick - tick
    const shared = VERSIONS_PER_DELTA.find(([from]) => age >= from)?.[1] ?? 1
    return Math.max(tick - (tick % shared), this.#log.firstTick)
  }
}

/** Serializes the rows of many changes without blocking the event loop. */
async function serializeRows(changes: readonly Change[]): Promise<void> {
  for (const [index, change] of changes.entries()) {
    if (index % ROWS_PER_SLICE === ROWS_PER_SLICE - 1) await yieldToEventLoop()
    if (!('removed' in change) && change.isWhole) void change.row.json
  }
}

function jsonOf(version: string, changes: readonly Change[]): DeltaJson {
  const removed = changes.flatMap((change) => ('removed' in change ? [change.removed] : []))
  const changed = changes.flatMap((change) => {
    if ('removed' in change) return []
    return [change.isWhole ? change.row.json : countsJson(change.row)]
  })
  return `{"version":${JSON.stringify(version)},"changed":[${changed.join(',')}],"removed":${JSON.stringify(removed)}}`
}
