/** What state a server is in, as one word with its reason. Never colour alone. */
import type { Server } from '#contract/servers.ts'

export type Tone = 'ok' | 'warn' | 'danger' | 'neutral'
export type StatusKey = 'online' | 'unlisted' | 'offline' | 'never_seen' | 'banned'

export interface Status {
  readonly key: StatusKey
  readonly word: string
  readonly tone: Tone
  readonly since: string | null
  /** One sentence; empty where all is well. */
  readonly reason: string
}

/** The state that matters most: a ban before silence, silence before not being listed. */
export function statusOf(server: Server): Status {
  const [first] = server.listing.reasons
  const since = first?.since ?? null
  const reason = server.listing.listed ? '' : (first?.message ?? '')
  if (server.banned) return { key: 'banned', word: 'Banned', tone: 'danger', since, reason }
  if (server.status === 'never_seen') return { key: 'never_seen', word: 'Not seen yet', tone: 'neutral', since: null, reason }
  if (server.status === 'offline') return { key: 'offline', word: 'Offline', tone: 'danger', since, reason }
  if (!server.listing.listed) return { key: 'unlisted', word: 'Online, not listed', tone: 'warn', since, reason }
  return { key: 'online', word: 'Online', tone: 'ok', since, reason: '' }
}

/** The last sign of life, while online from the live state, later from the credential's last use. */
export function lastAnnounceOf(server: Server): string | null {
  return server.live?.last_announce_at ?? server.credential_last_used_at
}

/** The state as it stands in the browser's tab. */
export function statusMark(server: Server): string {
  return { online: '●', unlisted: '◐', offline: '○', never_seen: '○', banned: '✕' }[statusOf(server).key]
}
