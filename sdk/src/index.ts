/** `@muster/announce`: announces a game server to a Muster list. */
import { Announcer } from './announcer.ts'
import type { AnnounceOptions } from './types.ts'

export type { Announcer }
export type * from './types.ts'

/**
 * Puts a game server on the list, and keeps it there until `stop()`. Returns at once and never throws. Without options, it reads
 * MUSTER_URL, MUSTER_CREDENTIAL, PORT and MAX_PLAYERS, and MUSTER_HOST, MUSTER_PROBE and MUSTER_FAMILIES if they are set.
 */
export function announce(options: AnnounceOptions = {}): Announcer {
  return new Announcer(options)
}
