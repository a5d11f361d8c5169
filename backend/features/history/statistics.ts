/** Statistics of the whole list: what is on it now from memory, growth and peaks from the database. */
import { LRUCache } from 'lru-cache'
import { GROWTH_WEEKS, MAX_RANKED, MAX_VERSIONS, PEAK_DAYS, type Statistics } from '#contract/statistics.ts'
import type { Registry } from '#backend/masterlist/registry/registry.ts'
import type { ServerRecord } from '#backend/masterlist/registry/server-record.ts'
import type { HistoryDeps } from './history.ts'
import { findRollupEnds } from './history.queries.ts'
import { countAll, countNewByWeek, listDays, listHighestPeaks } from './statistics.queries.ts'
import { Sum, unpackSteps } from './steps.ts'
import { DAY_MS, LEVELS, WEEK_MS, startOf } from './time.ts'

/** More than are shown, because ranked servers may be deleted later. */
const MAX_CANDIDATES = 3 * MAX_RANKED

interface RankedServer {
  readonly publicId: string
  readonly peak: number
  readonly average: number
}

type Counts = Statistics['online']
type Servers = Pick<Registry, 'all' | 'get'>

const playersOf = (server: ServerRecord) => server.announced?.playersCount ?? 0

export class ListStatistics {
  readonly #deps: HistoryDeps
  readonly #servers: Servers
  /** Keyed by the end of the last rolled-up day: the ranking of finished days changes only once a day. */
  readonly #rankings = new LRUCache<number, readonly RankedServer[]>({
    max: 1,
    ignoreFetchAbort: true,
    fetchMethod: (end) => this.#rank(end),
  })

  constructor(deps: HistoryDeps, servers: Servers) {
    this.#deps = deps
    this.#servers = servers
  }

  async read(): Promise<Statistics> {
    const listed = listedOf(this.#servers)
    const [growth, top_month] = await Promise.all([this.#growth(), this.#topMonth()])
    return {
      online: totalOf(listed),
      languages: countBy(listed, ({ fields }) => fields.language).map(([language, counts]) => ({ language, ...counts })),
      versions: countBy(listed, ({ announced }) => announced?.version ?? '')
        .slice(0, MAX_VERSIONS)
        .map(([version, counts]) => ({ version, ...counts })),
      growth,
      top_now: topOf(listed, MAX_RANKED),
      top_month,
    }
  }

  async #growth(): Promise<Statistics['growth']> {
    const { db, clock } = this.#deps
    const first = startOf(clock.now(), WEEK_MS) - (GROWTH_WEEKS - 1) * WEEK_MS
    const [total, weeks] = await Promise.all([countAll(db), countNewByWeek(db, new Date(first), GROWTH_WEEKS)])
    return { ...total, weeks: weeks.map(({ from_at, ...created }) => ({ from: from_at.toISOString(), ...created })) }
  }

  async #topMonth(): Promise<Statistics['top_month']> {
    const { day } = await findRollupEnds(this.#deps.db)
    const ranking = day === null ? [] : await this.#rankings.forceFetch(day.getTime())
    return ranking
      .flatMap(({ publicId, ...numbers }) => {
        const server = this.#servers.get(publicId)
        return server === undefined ? [] : [{ public_id: publicId, name: server.fields.name, ...numbers }]
      })
      .slice(0, MAX_RANKED)
  }

  /** @param end of the last day, in wall milliseconds. */
  async #rank(end: number): Promise<RankedServer[]> {
    const { db } = this.#deps
    const from = new Date(end - PEAK_DAYS * DAY_MS)
    const publicIds = await listHighestPeaks(db, from, MAX_CANDIDATES)
    const sums = new Map(publicIds.map((publicId) => [publicId, new Sum()]))
    for (const { server_id, steps } of await listDays(db, publicIds, from))
      for (const step of unpackSteps(steps, LEVELS.day.stepMinutes)) sums.get(server_id)?.add(step)
    return Array.from(sums, ([publicId, { step }]) => ({ publicId, peak: step.highest, average: step.average }))
  }
}

export function listedOf(servers: Pick<Registry, 'all'>): ServerRecord[] {
  return [...servers.all()].filter((server) => server.isListed)
}

export function totalOf(servers: readonly ServerRecord[]): Counts {
  return { servers: servers.length, players: servers.reduce((sum, server) => sum + playersOf(server), 0) }
}

/** Most players first, then most servers. */
function countBy(servers: readonly ServerRecord[], keyOf: (server: ServerRecord) => string): [string, Counts][] {
  const groups = Map.groupBy(servers, keyOf)
  return Array.from(groups, ([key, group]): [string, Counts] => [key, totalOf(group)]).toSorted(
    ([keyA, a], [keyB, b]) => b.players - a.players || b.servers - a.servers || (keyA < keyB ? -1 : 1),
  )
}

/** Most players first. */
export function topOf(listed: readonly ServerRecord[], count: number): Statistics['top_now'] {
  return listed
    .toSorted((a, b) => playersOf(b) - playersOf(a) || (a.publicId < b.publicId ? -1 : 1))
    .slice(0, count)
    .map((server) => ({
      public_id: server.publicId,
      name: server.fields.name,
      players: playersOf(server),
      max_players: server.announced?.maxPlayersCount ?? 0,
    }))
}
