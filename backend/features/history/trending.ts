/**
 * Which servers have more players than usual: compared with their own average in the same hour a week ago. The thresholds are below:
 * a server that was offline or not registered then never trends, and neither does one more player or a burst of a few minutes.
 */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { Registry } from '#backend/masterlist/registry/registry.ts'
import type { ServerRecord } from '#backend/masterlist/registry/server-record.ts'
import { NOT_SAMPLED } from '#backend/platform/database/tables/player-samples.ts'
import type { HistoryDeps } from './history.ts'
import { listSampleHours } from './history.queries.ts'
import { isRanked } from './list-summary.ts'
import type { PlayerSampler } from './player-sampler.ts'
import { Sum } from './steps.ts'
import { HOUR_MS, MINUTE_MS, WEEK_MS, startOf } from './time.ts'

/** The hour a week ago needs as many minutes online. */
const MIN_BASELINE_MINUTES = 30
/** Players now: the median of the last minutes, and how many of them must be sampled. */
const RECENT_MINUTES = 10
const MIN_RECENT_MINUTES = 5
/** Less than both is the noise of an ordinary week. */
const MIN_GROWTH = 5
const MIN_GROWTH_SHARE = 0.2
/** Older results don't count, for example if the database is unavailable when an hour starts. */
const MAX_AGE_MS = 180_000
/** Servers read in one query. */
const BATCH_SIZE = 100
/** Servers compared before yielding to the event loop: about a millisecond. */
const SERVERS_PER_SLICE = 250

export class Trending {
  readonly #deps: HistoryDeps
  readonly #sampler: Pick<PlayerSampler, 'samplesOf' | 'isStopping'>
  readonly #servers: Pick<Registry, 'get' | 'all'>
  /** Average players in an hour a week ago; only servers with enough minutes. */
  #baselines: ReadonlyMap<string, number> = new Map()
  /** The current hour of the baselines in wall milliseconds. */
  #hour = -1
  #growths: ReadonlyMap<string, number> = new Map()
  #refreshedAt = -Infinity

  constructor(deps: HistoryDeps, sampler: Pick<PlayerSampler, 'samplesOf' | 'isStopping'>, servers: Pick<Registry, 'get' | 'all'>) {
    this.#deps = deps
    this.#sampler = sampler
    this.#servers = servers
  }

  /** Players now minus the average of the same hour a week ago. Undefined if the server is not trending. */
  growthOf(publicId: string): number | undefined {
    const server = this.#servers.get(publicId)
    if (server === undefined || !canTrend(server)) return undefined
    return this.#deps.clock.uptime() - this.#refreshedAt < MAX_AGE_MS ? this.#growths.get(publicId) : undefined
  }

  /** Run once a minute. Reads the baselines once an hour. */
  async refresh(): Promise<void> {
    const now = this.#deps.clock.now()
    const hour = startOf(now, HOUR_MS)
    if (hour !== this.#hour) {
      this.#baselines = await this.#readBaselines(new Date(hour - WEEK_MS))
      if (this.#sampler.isStopping) return
      this.#hour = hour
    }
    const growths = new Map<string, number>()
    let compared = 0
    for (const [publicId, baseline] of this.#baselines) {
      const server = this.#servers.get(publicId)
      const players = server !== undefined && canTrend(server) ? this.#recentPlayers(publicId, now) : undefined
      const growth = players === undefined ? 0 : players - baseline
      if (growth >= Math.max(MIN_GROWTH, MIN_GROWTH_SHARE * baseline)) growths.set(publicId, growth)
      compared += 1
      if (compared % SERVERS_PER_SLICE === 0) await yieldToEventLoop()
    }
    this.#growths = growths
    this.#refreshedAt = this.#deps.clock.uptime()
  }

  async #readBaselines(hour: Date): Promise<Map<string, number>> {
    const baselines = new Map<string, number>()
    const publicIds = Array.from(this.#servers.all(), ({ publicId }) => publicId)
    for (let start = 0; start < publicIds.length && !this.#sampler.isStopping; start += BATCH_SIZE) {
      for (const { server_id, players } of await listSampleHours(this.#deps.db, publicIds.slice(start, start + BATCH_SIZE), hour, hour)) {
        const sum = new Sum()
        for (const count of players) if (count >= 0) sum.addMinute(count)
        if (sum.step.online >= MIN_BASELINE_MINUTES) baselines.set(server_id, sum.step.average)
      }
    }
    return baselines
  }

  /** Minutes offline count as 0, so that a server that has just returned does not trend yet. */
  #recentPlayers(publicId: string, now: number): number | undefined {
    const counts: number[] = []
    for (let ago = 0; ago < RECENT_MINUTES; ago += 1) {
      const at = startOf(now, MINUTE_MS) - ago * MINUTE_MS
      const hour = startOf(at, HOUR_MS)
      const count = this.#sampler.samplesOf(publicId, hour)?.[(at - hour) / MINUTE_MS] ?? NOT_SAMPLED
      if (count !== NOT_SAMPLED) counts.push(Math.max(0, count))
    }
    return counts.length < MIN_RECENT_MINUTES ? undefined : counts.toSorted((a, b) => a - b)[Math.floor((counts.length - 1) / 2)]
  }
}

const canTrend = (server: ServerRecord) => server.isListed && isRanked(server)
