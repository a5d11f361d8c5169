/** The services that server routes need beside `Deps`. */
import type { AnnounceAttempt, Server } from '#contract/servers/servers.ts'

export interface ServerState {
  readonly status: Server['status']
  readonly offline_since: Server['offline_since']
  readonly banner_url: Server['banner_url']
  readonly live: Server['live']
  readonly last_announced: Server['last_announced']
  readonly listing: Server['listing']
  /** When each credential was last used, by its id. Newer than in the database. */
  readonly lastUsedAt: ReadonlyMap<string, Date>
}

/** The live state of servers, as the master list knows it (masterlist/masterlist.ts). */
export interface ServerStateSource {
  stateOf(publicId: string): ServerState | undefined
  /** The last 50 announce attempts, newest first. */
  attemptsOf(publicId: string): Promise<AnnounceAttempt[]>
}

export interface ServerServices {
  readonly list: ServerStateSource
}
