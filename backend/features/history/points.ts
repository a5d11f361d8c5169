/** A server's history as launchers and query libraries read it: points with even distances, of which the last is now. */
import { LRUCache } from 'lru-cache'
import type { Deps } from '#backend/platform/deps.ts'
import { etagOf } from '#backend/masterlist/lists/snapshot.ts'
import type { ServerRecord } from '#backend/masterlist/registry/server-record.ts'
import { failureKind } from '#backend/platform/database/failure.ts'
import { BoundedQueue } from '#backend/platform/concurrency/bounded-queue.ts'
import { type Series, serverSeries } from './history.ts'
import type { PlayerSampler } from './player-sampler.ts'
import type { Step } from './steps.ts'
import { MINUTE_MS } from './time.ts'

/** As the master list calls them, and as they are read. */
const RANGES = { '1d': '24h', '7d': '7d', '31d': '31d' } as const
export type PointRange = keyof typeof RANGES
export const POINT_RANGES = Object.keys(RANGES) as PointRange[]

export type Kind = 'avg' | 'max'

interface Points {
  readonly body: string
  readonly etag: string
}

type PointsByKind = Readonly<Record<Kind, Points>>

interface PointsReply extends Points {
  /** Seconds since it was read, where the database is gone; else undefined. */
  readonly age: number | undefined
}

interface CacheEntry {
  /** When it is read; undefined where that failed, so that the next request tries again. */
  minute: number | undefined
  readonly points: Promise<PointsByKind>
  last: { readonly points: PointsByKind; readonly at: number } | undefined
}

/** Of some 10 KB each. They are read once a minute, however many ask; the last ones stay for when the database is gone. */
const MAX_ENTRIES = 500
/** How many are read from the database at once, and how many may wait for that, also of one address. */
const QUEUE_LIMITS = { concurrency: 3, maxQueued: 300, maxQueuedPerKey: 10 }

export class PlayerPoints {
  readonly #deps: Deps
  readonly #sampler: PlayerSampler
  readonly #cache = new LRUCache<string, CacheEntry>({ max: MAX_ENTRIES })
  readonly #queue: BoundedQueue

  constructor(deps: Deps, sampler: PlayerSampler) {
    this.#deps = deps
    this.#sampler = sampler
    this.#queue = new BoundedQueue({ ...QUEUE_LIMITS, maxQueuedPerKey: deps.env.RATE_LIMITS ? QUEUE_LIMITS.maxQueuedPerKey : Infinity })
  }

  /** Returns `full` where too many wait, and `too-many` where too many of this address do. */
  async of(server: ServerRecord, range: PointRange, kind: Kind, address: string): Promise<PointsReply | 'too-many' | 'full'> {
    const minute = Math.floor(this.#deps.clock.now() / MINUTE_MS)
    const key = `${server.publicId} ${range}`
    let entry = this.#cache.get(key)
    if (entry?.minute !== minute) {
      const pending = this.#queue.run(address, () => this.#read(server, range))
      if (typeof pending === 'string') return pending
      entry = this.#store(key, { minute, points: pending, last: entry?.last })
    }
    try {
      return { ...(await entry.points)[kind], age: undefined }
    } catch (error) {
      if (entry.last === undefined || failureKind(error) === undefined) throw error
      return { ...entry.last.points[kind], age: Math.floor((this.#deps.clock.uptime() - entry.last.at) / 1000) }
    }
  }

  #store(key: string, entry: CacheEntry): CacheEntry {
    this.#cache.set(key, entry)
    entry.points.then(
      (points) => (entry.last = { points, at: this.#deps.clock.uptime() }),
      () => {
        entry.minute = undefined
        if (entry.last === undefined && this.#cache.peek(key) === entry) this.#cache.delete(key)
      },
    )
    return entry
  }

  async #read({ publicId, fields: { createdAt } }: ServerRecord, range: PointRange): Promise<PointsByKind> {
    const series = await serverSeries(this.#deps, this.#sampler, { publicId, createdAt }, RANGES[range])
    const named = (of: (step: Step) => number): Points => {
      const body = JSON.stringify(pointsOf(series, of))
      return { body, etag: etagOf(body) }
    }
    return { avg: named((step) => step.average), max: named((step) => step.highest) }
  }
}

/** Begins with the first step in which it was online; for an older server, with the first in which a node sampled. */
function pointsOf({ from, stepMs, steps, first }: Series<Step> & { readonly first: number | undefined }, of: (step: Step) => number) {
  if (first === undefined) return []
  const begin = steps.findIndex(first < from ? (step) => step.sampled > 0 : (step) => step.online > 0)
  if (begin === -1) return []
  return steps.slice(begin).map((step, index) => ({ t: (from + (begin + index) * stepMs) / 1000, c: of(step) }))
}
