/** Which servers have more players than in the same hour a week ago. */
import type { Registry } from '#backend/masterlist/registry/registry.ts'
import type { HistoryDeps, RecentSamples } from './history.ts'

export class Trending {
  // oxlint-disable-next-line no-useless-constructor, no-empty-function
  constructor(_deps: HistoryDeps, _recent: RecentSamples, _servers: Pick<Registry, 'all'>) {}

  /** Players now minus the average of the same hour a week ago. Undefined if the server is not trending. */
  growthOf(_publicId: string): number | undefined {
    return undefined
  }

  /** Run once a minute. */
  refresh(): Promise<void> {
    return Promise.resolve()
  }
}
