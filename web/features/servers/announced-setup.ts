/** What a game server announces about itself that players need. */
import type { Server } from '#contract/servers.ts'

export interface Setup {
  /** The port that players connect to. */
  readonly port: number
  readonly maxPlayers: number
}

/** For a server that has no known setup. */
export const EXAMPLE_SETUP: Setup = { port: 7788, maxPlayers: 128 }

/** What the server announces now. Undefined while it is offline, and if players connect to a CDN, whose port is another one. */
export function announcedSetup({ live }: Pick<Server, 'live'>): Setup | undefined {
  const port = /^[^/]+:(\d+)$/.exec(live?.address ?? '')?.[1]
  return live && port !== undefined ? { port: Number(port), maxPlayers: live.max_players } : undefined
}
