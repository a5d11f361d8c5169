/**
 * Samples each server's players once a minute, and stores a bucket for every five. Every node samples and one writes. The others keep
 * a bucket until the database has it.
 */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { Deps } from '#backend/platform/deps.ts'
import { BUCKET_MS, type Counts, type ListCounts, noListCounts } from './buckets.ts'
import { findListBucket, insertBuckets, insertListBucket } from './buckets.queries.ts'
import { MINUTE_MS, startOf } from './time.ts'

/** The pause between attempts to write. */
const RETRY_MS = 60_000
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
}

/** What this node has sampled and the database may not have. */
export interface RecentBuckets {
  /** Start of the oldest bucket in wall milliseconds, infinite without any. Earlier ones are stored. */
  readonly from: number
  readonly buckets: readonly Pick<Bucket, 'at' | 'list' | 'servers'>[]
}

export class PlayerSampler implements RecentBuckets {
  readonly #deps: Pick<Deps, 'db' | 'clock'>
  readonly #servers: () => Iterable<SampledServer>
  readonly #mayWrite: () => boolean
  /** Oldest first. */
  #buckets: Bucket[] = []
  #current: Bucket | undefined
  #flushAt = 0
  #flushing: Promise<void> = Promise.resolve()

  constructor(deps: Pick<Deps, 'db' | 'clock'>, servers: () => Iterable<SampledServer>, mayWrite: () => boolean = () => true) {
    this.#deps = deps
    this.#servers = servers
    this.#mayWrite = mayWrite
  }

  get from(): number {
    return this.#buckets[0]?.at ?? Infinity
  }

  get buckets(): readonly Bucket[] {
    return this.#buckets
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

  async sample(onSample: OnSample): Promise<void> {
    const at = startOf(this.#deps.clock.now(), MINUTE_MS)
    const bucket = this.#bucketAt(startOf(at, BUCKET_MS))
    this.#current = bucket
    if (bucket.minutes.has(at)) return
    bucket.minutes.add(at)
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

  get isFlushDue(): boolean {
    return this.#buckets.length > 1 && this.#deps.clock.uptime() >= this.#flushAt
  }

  /** Stores finished buckets. Failed writes are retried with the next flush. @param isLast shutdown: every node writes what it has. */
  flush(isLast = false): Promise<void> {
    const flushed = this.#flushing.then(() => this.#flush(isLast))
    this.#flushing = flushed.catch(() => undefined)
    return flushed
  }

  async #flush(isLast: boolean): Promise<void> {
    this.#flushAt = this.#deps.clock.uptime() + RETRY_MS
    for (const bucket of this.#buckets) {
      if (bucket === this.#current && !isLast) continue
      if (isLast || this.#mayWrite() || !(await this.#isStored(bucket))) {
        // The lease holder usually writes it soon.
        if (!isLast && !this.#mayWrite() && this.#deps.clock.uptime() - bucket.sampledAt < WRITER_GRACE_MS) return
        await this.#write(bucket)
      }
      this.#buckets = this.#buckets.filter((other) => other !== bucket || bucket === this.#current)
    }
    this.#flushAt = 0
  }

  async #isStored({ at, list }: Bucket): Promise<boolean> {
    return ((await findListBucket(this.#deps.db, new Date(at)))?.sampled ?? 0) >= list.sampled
  }

  async #write({ at, list, servers }: Bucket): Promise<void> {
    await insertBuckets(this.#deps.db, new Date(at), servers)
    if (list.sampled > 0) await insertListBucket(this.#deps.db, new Date(at), list)
  }

  #bucketAt(at: number): Bucket {
    const known = this.#buckets.find((bucket) => bucket.at === at)
    if (known !== undefined) return known
    const bucket = { at, minutes: new Set<number>(), list: noListCounts(), servers: new Map(), sampledAt: this.#deps.clock.uptime() }
    this.#buckets = [...this.#buckets, bucket].toSorted((a, b) => a.at - b.at).slice(-MAX_BUCKETS)
    this.#flushAt = 0
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
