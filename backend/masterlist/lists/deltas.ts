/** Deltas of the list. Each is built on first request after a tick and cached until the next tick. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { countsJson, rowJson } from '#backend/masterlist/registry/listed-row.ts'
import type { Moment } from '#backend/masterlist/registry/registry.ts'
import type { Change, ChangeLog } from '#backend/masterlist/registry/change-log.ts'
import { EncodedBody, etagOf } from './snapshot.ts'
import type { Versions } from './versions.ts'

export interface Tick {
  readonly version: string
  /** Undefined if there are too many changes to stream: readers must reload the list. */
  readonly json: string | undefined
}

/** Runs expensive work in a bounded queue; undefined if the queue rejects it. */
export type RunQueued = <T>(build: () => Promise<T>) => Promise<T> | undefined

type DeltaJson = `{${string}}`
type VersionError = 'too-old' | 'invalid'

/** `[age, count]` in ticks: from this age on, `count` versions share one delta. Their readers get some changes twice. */
const VERSIONS_PER_DELTA = [
  [256, 256],
  [64, 16],
  [8, 4],
] as const
/** Beyond this, the compressed list is smaller than the delta. */
const MAX_CHANGES = 10_000
/** About a millisecond of serializing, measured in changes of player counts. */
const MAX_SYNC_WORK = 2000
const WORK_PER_WHOLE_ROW = 4
const CHARACTERS_PER_SLICE = 256 * 1024
/** Limits per streamed event. */
const MAX_STREAMED_CHANGES = 4000
const MAX_STREAMED_CHARACTERS = 512 * 1024
/** Changes in all cached bodies. */
const MAX_CACHED_CHANGES = 40_000

export class Deltas {
  readonly #log: ChangeLog
  readonly #versions: Versions
  readonly #listeners = new Set<(tick: Tick) => void>()
  /** By the tick after which the delta begins. */
  readonly #bodies = new LRUCache<number, EncodedBody | Promise<EncodedBody>>({ maxSize: MAX_CACHED_CHANGES })
  /** Too many changes have followed this tick, and all earlier ones. */
  #tooManySince = -1

  constructor(log: ChangeLog, versions: Versions) {
    this.#log = log
    this.#versions = versions
  }

  get version(): string {
    return this.#versions.current
  }

  /** Returns `{version, changed, removed}`. Large deltas are queued and built in slices; undefined if the queue rejects that. */
  since(version: string, runQueued: RunQueued): EncodedBody | Promise<EncodedBody> | VersionError | undefined {
    const from = this.#startTick(version)
    if (typeof from !== 'number') return from
    if (from <= this.#tooManySince) return 'too-old'
    const cached = this.#bodies.get(from)
    if (cached !== undefined) return cached
    const changes = this.#log.changesSince(from, MAX_CHANGES + 1)
    if (changes.length > MAX_CHANGES) {
      this.#tooManySince = from
      return 'too-old'
    }
    const { version: current } = this
    const size = Math.max(changes.length, 1)
    // A tick is unique in this process, so the body needs no hash.
    const etag = `W/"${current}-${from.toString(36)}"`
    if (estimateWork(changes) <= MAX_SYNC_WORK) {
      const body = new EncodedBody(etag, { identity: Buffer.from(serialize(current, changes) ?? '') })
      this.#bodies.set(from, body, { size })
      return body
    }
    const pending = runQueued(async () => new EncodedBody(etag, { identity: await serializeInSlices(current, changes) }))
    if (pending === undefined) return undefined
    this.#bodies.set(from, pending, { size })
    const replace = (body: EncodedBody | undefined) => {
      if (this.#bodies.peek(from) === pending) this.#bodies.set(from, body, { size })
    }
    pending.then(replace, () => replace(undefined))
    return pending
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

  publishTick(at: Moment): void {
    const { tick } = this.#log
    this.#versions.assign(tick, at)
    this.#bodies.clear()
    if (this.#listeners.size === 0) return
    // The log may already have dropped part of a very large tick.
    const published: Tick = { version: this.version, json: this.#log.firstTick < tick ? this.#streamedDelta(tick - 1) : undefined }
    for (const listener of this.#listeners) listener(published)
  }

  #streamedDelta(from: number): DeltaJson | undefined {
    const changes = this.#log.changesSince(from, MAX_STREAMED_CHANGES + 1)
    return changes.length > MAX_STREAMED_CHANGES ? undefined : serialize(this.version, changes, MAX_STREAMED_CHARACTERS)
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

function estimateWork(changes: readonly Change[]): number {
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

/** Returns undefined if longer than `max` characters. */
function serialize(version: string, changes: readonly Change[], max = Infinity): DeltaJson | undefined {
  let json = ''
  for (const slice of deltaSlices(version, changes)) {
    json += slice
    if (json.length > max) return undefined
  }
  return json as DeltaJson
}

async function serializeInSlices(version: string, changes: readonly Change[]): Promise<Buffer> {
  const slices: Buffer[] = []
  for (const slice of deltaSlices(version, changes)) {
    slices.push(Buffer.from(slice))
    await yieldToEventLoop()
  }
  return Buffer.concat(slices)
}
