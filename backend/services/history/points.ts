/** A server's history for launchers and query libraries: equally spaced points up to now. */
import { LRUCache } from 'lru-cache'
import { cacheTime } from '#backend/platform/clock.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { etagOf } from '#backend/masterlist/lists/encoded-body.ts'
import type { ServerRecord } from '#backend/masterlist/registry/server-record.ts'
import { Rejection, rejectionReply } from '#backend/masterlist/wire/reply.ts'
import { failureKind } from '#backend/platform/database/failure.ts'
import { BoundedQueue } from '#backend/platform/concurrency/bounded-queue.ts'
import { type Counts, averageOf, highestOf } from './buckets.ts'
import { hasHistoryBefore } from './buckets.queries.ts'
import { type Series, serverSeries } from './history.ts'
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

interface CachedPoints extends Readonly<Record<Aggregate, Points>> {
  /** Uptime of the read. */
  readonly readAt: number
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
const BUSY_SECONDS = 2

export class PlayerPoints {
  readonly #deps: Deps
  readonly #queue: BoundedQueue
  readonly #cache: LRUCache<string, CachedPoints, Request>

  constructor(deps: Deps) {
    this.#deps = deps
    this.#queue = new BoundedQueue({ ...QUEUE_LIMITS, maxQueuedPerKey: deps.env.RATE_LIMITS ? QUEUE_LIMITS.maxQueuedPerKey : Infinity })
    this.#cache = new LRUCache({
      max: MAX_ENTRIES,
      ...cacheTime(deps.clock),
      ignoreFetchAbort: true,
      noDeleteOnFetchRejection: true,
      fetchMethod: async (_key, _stale, { context, options }) => {
        try {
          return await this.#enqueue(context)
        } catch (error) {
          options.allowStaleOnFetchRejection = failureKind(error) !== undefined
          throw error
        }
      },
    })
  }

  /** The last ones if the database is unavailable. Throws a Rejection if too many requests wait, in all or from this address. */
  async of(server: ServerRecord, range: PointRange, aggregate: Aggregate, address: string) {
    const { clock } = this.#deps
    // A new point appears as soon as its minute is over.
    const ttl = MINUTE_MS - (clock.now() % MINUTE_MS)
    const points = await this.#cache.forceFetch(`${server.publicId} ${range}`, { context: { server, range, address }, ttl })
    return { ...points[aggregate], ageSeconds: Math.floor((clock.uptime() - points.readAt) / 1000) }
  }

  async #enqueue({ server, range, address }: Request): Promise<CachedPoints> {
    const reading = this.#queue.run(address, () => this.#read(server, range))
    if (typeof reading !== 'string') return await reading
    throw new Rejection(rejectionReply(reading === 'full' ? 'HISTORY_BUSY' : 'TOO_MANY_WAITING', BUSY_SECONDS))
  }

  async #read({ publicId, fields: { createdAt } }: ServerRecord, range: PointRange): Promise<CachedPoints> {
    const readAt = this.#deps.clock.uptime()
    const series = await serverSeries(this.#deps, { publicId, createdAt }, RANGES[range])
    const isOlder = await hasHistoryBefore(this.#deps.db, publicId, new Date(series.from))
    const encode = (valueOf: (step: Counts) => number | null): Points => {
      const body = JSON.stringify(pointsOf(series, isOlder, valueOf))
      return { body, etag: etagOf(body) }
    }
    return { readAt, avg: encode(averageOf), max: encode(highestOf) }
  }
}

/** Starts with the first online step; for a history older than the range, with the first sampled step. */
function pointsOf({ from, stepMs, steps }: Series<Counts>, isOlder: boolean, valueOf: (step: Counts) => number | null) {
  const begin = steps.findIndex(({ sampled, online }) => (isOlder ? sampled : online) > 0)
  if (begin === -1) return []
  return steps.slice(begin).map((step, index) => ({ t: (from + (begin + index) * stepMs) / 1000, c: valueOf(step) ?? 0 }))
}
