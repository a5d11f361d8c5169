/** Statistics of the whole list: what is on it now from memory, growth and peaks from the database. */
import { LRUCache } from 'lru-cache'
import { GROWTH_WEEKS, MAX_RANKED, MAX_VERSIONS, PEAK_DAYS, type Statistics } from '#contract/history/statistics.ts'
import { cacheTime } from '#backend/platform/clock.ts'
import type { Registry } from '#backend/masterlist/registry/registry.ts'
import type { ServerRecord } from '#backend/masterlist/registry/server-record.ts'
import type { HistoryDeps } from './history.ts'
import { type RankedServer, countAll, countNewByWeek, listHighestPeaks } from './statistics.queries.ts'
import { DAY_MS, HOUR_MS, WEEK_MS, startOf } from './time.ts'

/** More than are shown, because ranked servers may be deleted later. */
const MAX_CANDIDATES = 3 * MAX_RANKED
/** The ranking of finished days changes once a day. */
const RANKING_MS = HOUR_MS

type Counts = Statistics['online']
type Servers = Pick<Registry, 'all' | 'get'>

const rankedServer = ({ publicId, fields: { name, cosmetics } }: ServerRecord) => ({
  public_id: publicId,
  name,
  icon_url: cosmetics.iconUrl,
})

const playersOf = (server: ServerRecord) => server.announced?.playersCount ?? 0

/** Returns a function that reads the statistics. */
export function createStatistics(deps: HistoryDeps, servers: Servers): () => Promise<Statistics> {
  const rankings = new LRUCache<'month', readonly RankedServer[]>({
    max: 1,
    ttl: RANKING_MS,
    ...cacheTime(deps.clock),
    ignoreFetchAbort: true,
    fetchMethod: () => listHighestPeaks(deps.db, new Date(startOf(deps.clock.now(), DAY_MS) - PEAK_DAYS * DAY_MS), MAX_CANDIDATES),
  })
  return async () => {
    const listed = listedOf(servers)
    const [growth, ranking] = await Promise.all([growthOf(deps), rankings.forceFetch('month')])
    return {
      online: totalOf(listed),
      languages: countBy(listed, ({ fields }) => fields.language).map(([language, counts]) => ({ language, ...counts })),
      versions: countBy(listed, ({ announced }) => announced?.version ?? '')
        .slice(0, MAX_VERSIONS)
        .map(([version, counts]) => ({ version, ...counts })),
      growth,
      top_now: topOf(listed, MAX_RANKED),
      top_month: existingOf(servers, ranking).slice(0, MAX_RANKED),
    }
  }
}

async function growthOf({ db, clock }: HistoryDeps): Promise<Statistics['growth']> {
  const first = startOf(clock.now(), WEEK_MS) - (GROWTH_WEEKS - 1) * WEEK_MS
  const [total, weeks] = await Promise.all([countAll(db), countNewByWeek(db, new Date(first), GROWTH_WEEKS)])
  return { ...total, weeks: weeks.map(({ from_at, ...created }) => ({ from: from_at.toISOString(), ...created })) }
}

function existingOf(servers: Servers, ranking: readonly RankedServer[]): Statistics['top_month'] {
  return ranking.flatMap(({ public_id, ...numbers }) => {
    const server = servers.get(public_id)
    return server === undefined ? [] : [{ ...rankedServer(server), ...numbers }]
  })
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
      ...rankedServer(server),
      players: playersOf(server),
      max_players: server.announced?.maxPlayersCount ?? 0,
    }))
}
