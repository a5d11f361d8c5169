/** The last week of servers, for public pages: one query for those of a page, at most a minute old. */
import type { LRUCache } from 'lru-cache'
import type { ServerRecord } from '#backend/masterlist/registry/server-record.ts'
import { failureKind } from '#backend/platform/database/failure.ts'
import { type Counts, uptimeOf } from './buckets.ts'
import { historyCache } from './history-cache.ts'
import { type HistoryDeps, type Series, seriesOfServers } from './history.ts'
import type { RecentBuckets } from './player-sampler.ts'
import { HOUR_MS, WEEK_MS } from './time.ts'

const STEP_MS = 3 * HOUR_MS
const WEEK = { stepMs: STEP_MS, count: WEEK_MS / STEP_MS, coarsest: 'hour' } as const
/** About a kilobyte each. */
const MAX_WEEKS = 10_000

/** A server's last seven days in steps of three hours, oldest first; the last one is incomplete. */
export interface ServerWeek {
  /** Start of the first step in wall milliseconds. */
  readonly from: number
  readonly stepMs: number
  /** Highest number of players in each step: null without data, 0 while it was offline. */
  readonly highest: readonly (number | null)[]
  /** The highest number of players and the start of its step. */
  readonly peak: { readonly players: number; readonly at: number } | undefined
  /** Share of the sampled minutes since its registration in which it was online, 0 to 1; undefined without samples. */
  readonly uptime: number | undefined
}

type KnownServer = Pick<ServerRecord, 'publicId' | 'announced'> & { readonly fields: { readonly createdAt: number } }

interface CachedWeek {
  /** Undefined without history. */
  readonly week: ServerWeek | undefined
}

type ReadWeek = (server: KnownServer) => Promise<CachedWeek>

export class ServerWeeks {
  readonly #deps: HistoryDeps
  readonly #recent: RecentBuckets
  readonly #servers: { get(publicId: string): KnownServer | undefined }
  readonly #weeks: LRUCache<string, CachedWeek, () => Promise<CachedWeek>>

  constructor(deps: HistoryDeps, recent: RecentBuckets, servers: { get(publicId: string): KnownServer | undefined }) {
    this.#deps = deps
    this.#recent = recent
    this.#servers = servers
    this.#weeks = historyCache(deps.clock, MAX_WEEKS, (_publicId, read) => read())
  }

  /** Undefined for a server without history, and before its first load. */
  of(publicId: string): ServerWeek | undefined {
    if (this.#servers.get(publicId)?.announced === undefined) return undefined
    return this.#weeks.peek(publicId, { allowStale: true })?.week
  }

  /** Reads the weeks that are older than a minute. While the database is unavailable, pages show the last ones. */
  async load(publicIds: readonly string[]): Promise<void> {
    const readWeek = this.#batch()
    const loads = publicIds.map(async (publicId) => {
      const server = this.#servers.get(publicId)
      if (server?.announced !== undefined) await this.#weeks.fetch(publicId, { context: () => readWeek(server) })
    })
    try {
      await Promise.all(loads)
    } catch (error) {
      if (failureKind(error) === undefined) throw error
    }
  }

  /** One query for all servers that are requested at once. */
  #batch(): ReadWeek {
    const servers: KnownServer[] = []
    let reading: Promise<ReadonlyMap<string, Series<Counts>>> | undefined
    return async (server) => {
      servers.push(server)
      reading ??= Promise.resolve().then(() => {
        const keys = servers.map(({ publicId, fields: { createdAt } }) => ({ publicId, createdAt }))
        return seriesOfServers(this.#deps.db, this.#recent, keys, WEEK, { now: this.#deps.clock.now() })
      })
      const series = (await reading).get(server.publicId)
      return { week: series && weekOf(series) }
    }
  }
}

function weekOf({ from, stepMs, steps }: Series<Counts>): ServerWeek | undefined {
  const uptime = uptimeOf(steps)
  if (uptime === undefined) return undefined
  const players = Math.max(...steps.map((step) => (step.online === 0 ? -1 : step.highest)))
  const peakStep = steps.findIndex((step) => step.online > 0 && step.highest === players)
  return {
    from,
    stepMs,
    highest: steps.map((step) => (step.sampled === 0 ? null : step.highest)),
    peak: peakStep === -1 ? undefined : { players, at: from + peakStep * stepMs },
    uptime,
  }
}
