/** A server's history for launchers and query libraries: equally spaced points up to now. */
import type { LRUCache } from 'lru-cache'
import type { Deps } from '#backend/platform/deps.ts'
import { etagOf } from '#backend/masterlist/lists/encoded-body.ts'
import type { ServerRecord } from '#backend/masterlist/registry/server-record.ts'
import { BoundedQueue } from '#backend/platform/concurrency/bounded-queue.ts'
import { type Counts, averageOf, highestOf } from './buckets.ts'
import { hasHistoryBefore } from './buckets.queries.ts'
import { historyCache } from './history-cache.ts'
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

interface PointsReply extends Points {
  /** Seconds since the points were read, if the database is unavailable. */
  readonly age: number | undefined
}

interface CachedPoints extends Readonly<Record<Aggregate, Points>> {
  /** Uptime of the read. */
  readonly readAt: number
  /** Minute of the read since 1970. */
  readonly minute: number
}

interface Request {
  readonly server: ServerRecord
  readonly range: PointRange
  readonly address: string
}

/** About 10 KB each. Read at most once a minute, and kept for database outages. */
const MAX_ENTRIES = 500
/** Concurrent reads, waiting requests, and waiting requests of one address. */
const QUEUE_LIMITS = { concurrency: 3, maxQueued: 300, maxQueuedPerKey: 10 }

class QueueFull extends Error {
  override readonly name = 'QueueFull'
  readonly reason: 'too-many' | 'full'
  constructor(reason: 'too-many' | 'full') {
    super(reason)
    this.reason = reason
  }
}

export class PlayerPoints {
  readonly #deps: Deps
  readonly #recent: RecentBuckets
  readonly #cache: LRUCache<string, CachedPoints, Request>

  constructor(deps: Deps, recent: RecentBuckets) {
    this.#deps = deps
    this.#recent = recent
    const queue = new BoundedQueue({ ...QUEUE_LIMITS, maxQueuedPerKey: deps.env.RATE_LIMITS ? QUEUE_LIMITS.maxQueuedPerKey : Infinity })
    this.#cache = historyCache(deps.clock, MAX_ENTRIES, async (_key, { server, range, address }) => {
      const reading = queue.run(address, () => this.#read(server, range))
      if (typeof reading === 'string') throw new QueueFull(reading)
      return await reading
    })
  }

  /** Returns `full` if too many requests wait, and `too-many` if too many from this address wait. */
  async of(server: ServerRecord, range: PointRange, aggregate: Aggregate, address: string): Promise<PointsReply | 'too-many' | 'full'> {
    const { clock } = this.#deps
    const minute = minuteOf(clock.now())
    try {
      // A new point appears as soon as its minute is over.
      const ttl = MINUTE_MS - (clock.now() % MINUTE_MS)
      const points = await this.#cache.forceFetch(`${server.publicId} ${range}`, { context: { server, range, address }, ttl })
      const isStale = points.minute < minute
      return { ...points[aggregate], age: isStale ? Math.floor((clock.uptime() - points.readAt) / 1000) : undefined }
    } catch (error) {
      if (error instanceof QueueFull) return error.reason
      throw error
    }
  }

  async #read({ publicId, fields: { createdAt } }: ServerRecord, range: PointRange): Promise<CachedPoints> {
    const { db, clock } = this.#deps
    const read = { readAt: clock.uptime(), minute: minuteOf(clock.now()) }
    const series = await serverSeries(this.#deps, this.#recent, { publicId, createdAt }, RANGES[range])
    const isOlder = await hasHistoryBefore(db, publicId, new Date(series.from))
    const encode = (valueOf: (step: Counts) => number | null): Points => {
      const body = JSON.stringify(pointsOf(series, isOlder, valueOf))
      return { body, etag: etagOf(body) }
    }
    return { ...read, avg: encode(averageOf), max: encode(highestOf) }
  }
}

const minuteOf = (at: number) => Math.floor(at / MINUTE_MS)

/** Starts with the first online step; for a history older than the range, with the first sampled step. */
function pointsOf({ from, stepMs, steps }: Series<Counts>, isOlder: boolean, valueOf: (step: Counts) => number | null) {
  const begin = steps.findIndex(({ sampled, online }) => (isOlder ? sampled : online) > 0)
  if (begin === -1) return []
  return steps.slice(begin).map((step, index) => ({ t: (from + (begin + index) * stepMs) / 1000, c: valueOf(step) ?? 0 }))
}
