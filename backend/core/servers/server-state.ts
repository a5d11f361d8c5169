/** What the master list knows of a server, for its routes. */
import type { AnnounceAttempt, Server } from '#contract/servers/servers.ts'

export interface ServerState extends Pick<Server, 'status' | 'offline_since' | 'banner_url' | 'live' | 'last_announced' | 'listing'> {
  /** When each credential was last used, by its id. Newer than in the database. */
  readonly lastUsedAt: ReadonlyMap<string, Date>
}

/** The live state of servers, as the master list knows it (masterlist/masterlist.ts). */
export interface ServerStateSource {
  stateOf(publicId: string): ServerState | undefined
  /** The last 50 announce attempts, newest first. */
  attemptsOf(publicId: string): Promise<AnnounceAttempt[]>
}
