/** What visitors see of the list before they sign in. */
import { LRUCache } from 'lru-cache'
import { type ListSummary, MAX_SUMMARY_SERVERS } from '#contract/statistics.ts'
import type { Registry } from '#backend/masterlist/registry/registry.ts'
import { type HistoryDeps, type RecentSamples, listSeries } from './history.ts'
import { presentList } from './history.present.ts'
import { listedOf, topOf, totalOf } from './statistics.ts'

const MAX_AGE_MS = 10_000

export class ListSummaries {
  readonly #deps: HistoryDeps
  readonly #recent: RecentSamples
  readonly #servers: Pick<Registry, 'all'>
  /** Anyone may request it, so all requests of ten seconds share one read. */
  readonly #summaries = new LRUCache<number, ListSummary>({ max: 1, fetchMethod: () => this.#build() })

  constructor(deps: HistoryDeps, recent: RecentSamples, servers: Pick<Registry, 'all'>) {
    this.#deps = deps
    this.#recent = recent
    this.#servers = servers
  }

  read(): Promise<ListSummary> {
    return this.#summaries.forceFetch(Math.floor(this.#deps.clock.now() / MAX_AGE_MS))
  }

  async #build(): Promise<ListSummary> {
    const history = presentList('24h', await listSeries(this.#deps, this.#recent, '24h'))
    const listed = listedOf(this.#servers)
    return { ...totalOf(listed), players_day: history.players.highest, top: topOf(listed, MAX_SUMMARY_SERVERS) }
  }
}
