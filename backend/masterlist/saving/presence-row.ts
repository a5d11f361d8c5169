/** A server's live state as it is kept: a row of `presence`, a line of the presence file. */
import { savedOf } from '#backend/masterlist/registry/announced.ts'
import type { ShownRow } from '#backend/masterlist/registry/listed-row.ts'
import type { Announced, ServerRecord } from '#backend/masterlist/registry/server-record.ts'
import type { PlayersColumns, PresenceRow } from './masterlist.writes.ts'

/** None where it never announced. */
export function presenceOf(server: ServerRecord): PresenceRow[] {
  if (server.announced === undefined) return []
  return [
    {
      server_id: server.publicId,
      owner_id: server.fields.ownerId,
      online: server.online,
      since: server.since,
      ended_by: server.endedBy,
      last_announce_at: server.lastAnnounceAt,
      address: server.address,
      credential_id: server.credentialId ?? null,
      announce: savedOf(server.announced),
      changed_at: server.changedAt,
    },
  ]
}

/** One that players see, as it was shown last. */
type ShownServer = ServerRecord & { readonly shown: ShownRow; readonly announced: Announced }

export function isShown(server: ServerRecord): server is ShownServer {
  return server.shown !== undefined && server.announced !== undefined
}

/**
 * What is saved of servers of which only the players changed since the last save began: that what was shown is what the database holds
 * is asked of the database. @param now any wall milliseconds near them: what is told in a few digits costs this process the least.
 */
export function playersOf(servers: readonly ShownServer[], now: number): PlayersColumns {
  return {
    ids: servers.map((server) => server.publicId),
    players: servers.map(({ announced }) => announced.playersCount),
    queue: servers.map(({ announced }) => announced.queueCount),
    shownBefore: servers.map(({ shown }) => now - shown.changedAt),
    announcedBefore: servers.map((server) => now - server.lastAnnounceAt),
    changedBefore: servers.map((server) => now - server.changedAt),
    now,
  }
}
