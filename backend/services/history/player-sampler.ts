/**
 * Samples each server's players once a minute, and stores them in buckets of five. Every node samples and one writes. The others keep
 * a bucket until the database has it.
 */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { Deps } from '#backend/platform/deps.ts'
import { BUCKET_MS, type Counts, type ListCounts, noListCounts } from './buckets.ts'
import { findListBucket, insertBuckets, insertListBucket } from './buckets.queries.ts'
import { MINUTE_MS, startOf } from './time.ts'

/** After this, any node writes a bucket that the lease holder has not. */
const WRITER_GRACE_MS = 150_000
/** Buckets kept while the database is unavailable: six hours. The oldest is dropped first. */
const MAX_BUCKETS = 72
/** Servers sampled between yields to the event loop: about a millisecond. */
const SERVERS_PER_SLICE = 500

export const OFFLINE = -1

export interface SampledServer {
  readonly publicId: string
  readonly online: boolean
  readonly isListed: boolean
  readonly fields: { readonly createdAt: number }
  readonly announced: { readonly playersCount: number; readonly maxPlayersCount: number; readonly queueCount: number } | undefined
}

/** @param players -1 while offline. @param at start of the minute in wall milliseconds. */
type OnSample = (server: SampledServer, players: number, at: number) => void

interface Bucket {
  /** Start in wall milliseconds. */
  readonly at: number
  /** Starts of the minutes that this node sampled, or that a previous run may have sampled. */
  readonly minutes: Set<number>
  readonly list: ListCounts
  /** Servers that were online in this bucket. */
  readonly servers: Map<string, Counts>
  /** The uptime when its last minute was sampled. */
  sampledAt: number
  /** Whether this node has stored it as it is. */
  isStored: boolean
}

export class PlayerSampler {
  readonly #deps: Pick<Deps, 'db' | 'clock'>
  readonly #servers: () => Iterable<SampledServer>
  readonly #mayWrite: () => boolean
  /** Oldest first. */
  #buckets: Bucket[] = []
  #current: Bucket | undefined
  #flushing: Promise<void> = Promise.resolve()

  constructor(deps: Pick<Deps, 'db' | 'clock'>, servers: () => Iterable<SampledServer>, mayWrite: () => boolean = () => true) {
    this.#deps = deps
    this.#servers = servers
    this.#mayWrite = mayWrite
  }

  /** Continues a stored bucket after a restart. @param at its start in wall milliseconds. */
  async restore(at: number, servers: Iterable<[publicId: string, counts: Counts]>): Promise<void> {
    const list = await findListBucket(this.#deps.db, new Date(at))
    if (list === undefined) return
    const bucket = this.#bucketAt(at)
    // The first ones, if the previous run missed any: then at most the current minute counts twice.
    for (let minute = 0; minute < list.sampled; minute += 1) bucket.minutes.add(at + minute * MINUTE_MS)
    Object.assign(bucket.list, list)
    for (const [publicId, counts] of servers) bucket.servers.set(publicId, counts)
  }

  /** The first call in a minute takes a sample. */
  async sample(onSample: OnSample): Promise<void> {
    const at = startOf(this.#deps.clock.now(), MINUTE_MS)
    const bucket = this.#bucketAt(startOf(at, BUCKET_MS))
    this.#current = bucket
    if (bucket.minutes.has(at)) return
    bucket.minutes.add(at)
    bucket.isStored = false
    bucket.sampledAt = this.#deps.clock.uptime()
    const total = { servers: 0, players: 0 }
    let sampled = 0
    for (const server of this.#servers()) {
      const players = server.online ? (server.announced?.playersCount ?? 0) : OFFLINE
      addMinute(bucket, server, at, players)
      if (server.isListed) {
        total.servers += 1
        total.players += players
      }
      if (server.announced !== undefined) onSample(server, players, at)
      sampled += 1
      if (sampled % SERVERS_PER_SLICE === 0) await yieldToEventLoop()
    }
    const { list } = bucket
    list.sampled += 1
    list.players += total.players
    list.servers += total.servers
    list.players_highest = Math.max(list.players_highest, total.players)
    list.servers_highest = Math.max(list.servers_highest, total.servers)
  }

  forget(publicId: string): void {
    for (const { servers } of this.#buckets) servers.delete(publicId)
  }

  /** Stores what was sampled. Failed writes are retried with the next flush. @param isLast shutdown: every node writes what it has. */
  flush(isLast = false): Promise<void> {
    const flushed = this.#flushing.then(() => this.#flush(isLast))
    this.#flushing = flushed.catch(() => undefined)
    return flushed
  }

  async #flush(isLast: boolean): Promise<void> {
    for (const bucket of this.#buckets) {
      const isCurrent = bucket === this.#current
      if (isLast || this.#mayWrite()) await this.#write(bucket)
      else if (isCurrent) continue
      else if (!(await this.#isStoredByOther(bucket))) {
        // The lease holder usually writes it soon.
        if (this.#deps.clock.uptime() - bucket.sampledAt < WRITER_GRACE_MS) return
        await this.#write(bucket)
      }
      if (!isCurrent) this.#buckets = this.#buckets.filter((other) => other !== bucket)
    }
  }

  async #isStoredByOther({ at, list }: Bucket): Promise<boolean> {
    return ((await findListBucket(this.#deps.db, new Date(at)))?.sampled ?? 0) >= list.sampled
  }

  async #write(bucket: Bucket): Promise<void> {
    if (bucket.isStored) return
    bucket.isStored = true
    try {
      await insertBuckets(this.#deps.db, new Date(bucket.at), bucket.servers)
      if (bucket.list.sampled > 0) await insertListBucket(this.#deps.db, new Date(bucket.at), bucket.list)
    } catch (error) {
      bucket.isStored = false
      throw error
    }
  }

  #bucketAt(at: number): Bucket {
    const known = this.#buckets.find((bucket) => bucket.at === at)
    if (known !== undefined) return known
    const bucket: Bucket = {
      at,
      minutes: new Set(),
      list: noListCounts(),
      servers: new Map(),
      sampledAt: this.#deps.clock.uptime(),
      isStored: true,
    }
    this.#buckets = [...this.#buckets, bucket].toSorted((a, b) => a.at - b.at).slice(-MAX_BUCKETS)
    return bucket
  }
}

function addMinute({ servers, list }: Bucket, { publicId, fields }: SampledServer, at: number, players: number): void {
  let counts = servers.get(publicId)
  if (counts === undefined) {
    if (players === OFFLINE) return
    // It was offline in the minutes before, but those before its registration don't count.
    const sampled = Math.max(0, Math.min(list.sampled, Math.floor((at - fields.createdAt) / MINUTE_MS)))
    servers.set(publicId, (counts = { players: 0, highest: 0, online: 0, sampled }))
  }
  counts.sampled += 1
  if (players === OFFLINE) return
  counts.online += 1
  counts.players += players
  counts.highest = Math.max(counts.highest, players)
}
