/** The last seven days of every server in memory, so that a public page needs no database. */
import type { Registry } from '#backend/masterlist/registry/registry.ts'
import type { HistoryDeps, RecentSamples } from './history.ts'

/** A server's last seven days in steps of three hours, oldest first; the last one is incomplete. */
export interface ServerWeek {
  /** Start of the first step in wall milliseconds. */
  readonly from: number
  readonly stepMs: number
  /** Highest number of players in each step: null without data, 0 while it was offline. */
  readonly highest: readonly (number | null)[]
  /** Average of the minutes it was online. */
  readonly average: readonly (number | null)[]
  /** The highest number of players and the start of its step. */
  readonly peak: { readonly players: number; readonly at: number } | undefined
  /** Share of the sampled minutes since its registration in which it was online, 0 to 1; undefined without samples. */
  readonly uptime: number | undefined
}

export class ServerWeeks {
  // oxlint-disable-next-line no-useless-constructor, no-empty-function
  constructor(_deps: HistoryDeps, _recent: RecentSamples, _servers: Pick<Registry, 'get'>) {}

  /** Undefined for a server without history. The current step includes this node's newest samples. */
  of(_publicId: string): ServerWeek | undefined {
    return undefined
  }

  load(): Promise<void> {
    return Promise.resolve()
  }
}
