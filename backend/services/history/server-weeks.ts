/** The last week of servers, for public pages. */
import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { ServerRecord } from '#backend/masterlist/registry/server-record.ts'
import { cacheTime } from '#backend/platform/clock.ts'
import { failureKind } from '#backend/platform/database/failure.ts'
import { BUCKET_MS, type Counts, uptimeOf } from './buckets.ts'
import { type HistoryDeps, type Series, seriesOfServers } from './history.ts'
import { HOUR_MS, WEEK_MS } from './time.ts'

const STEP_MS = 3 * HOUR_MS
const WEEK = { stepMs: STEP_MS, count: WEEK_MS / STEP_MS, coarsest: 'hour' } as const
/** About a kilobyte each. */
const MAX_WEEKS = 10_000
/** A bucket is stored every five minutes. */
const MAX_AGE_MS = BUCKET_MS
/** Minimum time between the starts of two queries. Most of a query's time does not depend on the number of servers. */
const QUERY_INTERVAL_MS = 10

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

interface Servers {
  get(publicId: string): (Pick<ServerRecord, 'announced'> & { readonly fields: { readonly createdAt: number } }) | undefined
}

export class ServerWeeks {
  readonly #deps: HistoryDeps
  readonly #servers: Servers
  /** The week is undefined without history. */
  readonly #weeks: LRUCache<string, { readonly week: ServerWeek | undefined }>
  readonly #wanted = new Set<string>()
  /** For all pages that wait. */
  #nextQuery: Promise<void> | undefined
  /** Settles when the next query may start. */
  #pause: Promise<unknown> = Promise.resolve()

  constructor(deps: HistoryDeps, servers: Servers) {
    this.#deps = deps
    this.#servers = servers
    this.#weeks = new LRUCache({ max: MAX_WEEKS, ttl: MAX_AGE_MS, ...cacheTime(deps.clock) })
  }

  /** Undefined for a server without history, and before its first load. */
  of(publicId: string): ServerWeek | undefined {
    if (this.#servers.get(publicId)?.announced === undefined) return undefined
    return this.#weeks.peek(publicId, { allowStale: true })?.week
  }

  /** Reads the weeks that have expired. While the database is unavailable, pages show the last ones. */
  async load(publicIds: readonly string[]): Promise<void> {
    const missing = publicIds.filter((publicId) => this.#servers.get(publicId)?.announced !== undefined && !this.#weeks.has(publicId))
    if (missing.length === 0) return
    for (const publicId of missing) this.#wanted.add(publicId)
    await (this.#nextQuery ??= this.#query())
  }

  async #query(): Promise<void> {
    await this.#pause
    this.#nextQuery = undefined
    const loading = this.#loadWanted()
    this.#pause = Promise.allSettled([loading, sleep(QUERY_INTERVAL_MS)])
    await loading
  }

  async #loadWanted(): Promise<void> {
    const missing = [...this.#wanted].flatMap((publicId) => {
      const server = this.#servers.get(publicId)
      return server === undefined || this.#weeks.has(publicId) ? [] : [{ publicId, createdAt: server.fields.createdAt }]
    })
    this.#wanted.clear()
    if (missing.length === 0) return
    try {
      const series = await seriesOfServers(this.#deps.db, missing, WEEK, this.#deps.clock.now())
      for (const [publicId, each] of series) this.#weeks.set(publicId, { week: weekOf(each) })
    } catch (error) {
      if (failureKind(error) === undefined) throw error
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
