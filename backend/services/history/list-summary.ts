/** What visitors see of the list before they sign in. */
import { LRUCache } from 'lru-cache'
import { type ListSummary, MAX_SUMMARY_SERVERS } from '#contract/history/statistics.ts'
import type { Registry } from '#backend/masterlist/registry/registry.ts'
import { type HistoryDeps, listSeries } from './history.ts'
import { presentList } from './history.present.ts'
import { isConfirmed } from '#backend/masterlist/registry/listed-row.ts'
import type { ServerRecord } from '#backend/masterlist/registry/server-record.ts'
import { listedOf, topOf, totalOf } from './statistics.ts'

const MAX_AGE_MS = 10_000

/** Whether the list ranks the server by its players. */
export const isRanked = (server: ServerRecord) => isConfirmed(server) && !server.fields.enforcement.isUnranked

/** Returns a function that reads the summary. Anyone may call it, so all calls of ten seconds share one read. */
export function createListSummary(deps: HistoryDeps, servers: Pick<Registry, 'all'>): () => Promise<ListSummary> {
  const summaries = new LRUCache<number, ListSummary>({
    max: 1,
    // It finishes even if the next one evicts it.
    ignoreFetchAbort: true,
    fetchMethod: async () => {
      const history = presentList('24h', await listSeries(deps, '24h'))
      const listed = listedOf(servers)
      return { ...totalOf(listed), players_day: history.players.highest, top: topOf(listed.filter(isRanked), MAX_SUMMARY_SERVERS) }
    },
  })
  return () => summaries.forceFetch(Math.floor(deps.clock.now() / MAX_AGE_MS))
}
