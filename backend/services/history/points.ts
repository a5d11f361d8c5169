/** A server's history for launchers and query libraries: equally spaced points up to now. */
import { LRUCache } from 'lru-cache'
import type { Deps } from '#backend/platform/deps.ts'
import { etagOf } from '#backend/masterlist/lists/encoded-body.ts'
import type { ServerRecord } from '#backend/masterlist/registry/server-record.ts'
import { failureKind } from '#backend/platform/database/failure.ts'
import { BoundedQueue } from '#backend/platform/concurrency/bounded-queue.ts'
import { type Counts, averageOf, highestOf } from './buckets.ts'
import { hasHistoryBefore } from './buckets.queries.ts'
import { type Series, serverSeries } from './history.ts'
import type { RecentBuckets } from './player-sampler.ts'
import { MINUTE_MS } from './time.ts'

/** Ranges of the master list's API and the ranges they read. */
const RANGES = { '1d': '24h', '7d': '7d', '31d': '31d' } as const
export type PointRange = keyof typeof RANGES
export const POINT_RANGES = Object.keys(RANGES) as PointRange[]

export type Aggregate = 'avg' | 'max'

interface Points {
  readonly body: string
  readonly etag: string
}

type PointsByAggregate = Readonly<Record<Aggregate, Points>>

interface PointsReply extends Points {
  /** Seconds since the points were read, if the database is unavailable. */
  readonly age: number | undefined
}

interface CacheEntry {
  /** The minute of the read; undefined if it failed, so that the next request retries. */
  minute: number | undefined
  readonly points: Promise<PointsByAggregate>
  fallback: { readonly points: PointsByAggregate; readonly at: number } | undefined
}

/** About 10 KB each. Read at most once a minute, and kept for database outages. */
const MAX_ENTRIES = 500
/** Concurrent reads, waiting requests, and waiting requests of one address. */
const QUEUE_LIMITS = { concurrency: 3, maxQueued: 300, maxQueuedPerKey: 10 }

export class PlayerPoints {
  readonly #deps: Deps
  readonly #recent: RecentBuckets
  readonly #cache = new LRUCache<string, CacheEntry>({ max: MAX_ENTRIES })
  readonly #queue: BoundedQueue

  constructor(deps: Deps, recent: RecentBuckets) {
    this.#deps = deps
    this.#recent = recent
    this.#queue = new BoundedQueue({ ...QUEUE_LIMITS, maxQueuedPerKey: deps.env.RATE_LIMITS ? QUEUE_LIMITS.maxQueuedPerKey : Infinity })
  }

  /** Returns `full` if too many requests wait, and `too-many` if too many from this address wait. */
  async of(server: ServerRecord, range: PointRange, aggregate: Aggregate, address: string): Promise<PointsReply | 'too-many' | 'full'> {
    const minute = Math.floor(this.#deps.clock.now() / MINUTE_MS)
    const key = `${server.publicId} ${range}`
    let entry = this.#cache.get(key)
    if (entry?.minute !== minute) {
      const pending = this.#queue.run(address, () => this.#read(server, range))
      if (typeof pending === 'string') return pending
      entry = this.#store(key, { minute, points: pending, fallback: entry?.fallback })
    }
    try {
      return { ...(await entry.points)[aggregate], age: undefined }
    } catch (error) {
      if (entry.fallback === undefined || failureKind(error) === undefined) throw error
      return { ...entry.fallback.points[aggregate], age: Math.floor((this.#deps.clock.uptime() - entry.fallback.at) / 1000) }
    }
  }

  #store(key: string, entry: CacheEntry): CacheEntry {
    this.#cache.set(key, entry)
    entry.points.then(
      (points) => (entry.fallback = { points, at: this.#deps.clock.uptime() }),
      () => {
        entry.minute = undefined
        if (entry.fallback === undefined && this.#cache.peek(key) === entry) this.#cache.delete(key)
      },
    )
    return entry
  }

  async #read({ publicId, fields: { createdAt } }: ServerRecord, range: PointRange): Promise<PointsByAggregate> {
    const series = await serverSeries(this.#deps, this.#recent, { publicId, createdAt }, RANGES[range])
    const isOlder = await hasHistoryBefore(this.#deps.db, publicId, new Date(series.from))
    const encode = (valueOf: (step: Counts) => number | null): Points => {
      const body = JSON.stringify(pointsOf(series, isOlder, valueOf))
      return { body, etag: etagOf(body) }
    }
    return { avg: encode(averageOf), max: encode(highestOf) }
  }
}

/** Starts with the first online step; for a history older than the range, with the first sampled step. */
function pointsOf({ from, stepMs, steps }: Series<Counts>, isOlder: boolean, valueOf: (step: Counts) => number | null) {
  const begin = steps.findIndex(({ sampled, online }) => (isOlder ? sampled : online) > 0)
  if (begin === -1) return []
  return steps.slice(begin).map((step, index) => ({ t: (from + (begin + index) * stepMs) / 1000, c: valueOf(step) ?? 0 }))
}
