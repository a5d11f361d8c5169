/** A server's live state as it is kept: a row of `presence`, a line of the presence file. */
import { savedOf } from '#backend/features/masterlist/registry/announced.ts'
import type { ServerRecord } from '#backend/features/masterlist/registry/server-record.ts'
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

/**
 * What is saved of servers of which only the players changed since they were shown last, so that what is shown of them tells which row
 * the database should hold. @param now any wall milliseconds near them: what is told in a few digits costs this process the least.
 */
export function playersOf(servers: readonly ServerRecord[], now: number): PlayersColumns {
  return {
    ids: servers.map((server) => server.publicId),
    players: servers.map(({ announced }) => announced?.playersCount ?? 0),
    queue: servers.map(({ announced }) => announced?.queueCount ?? 0),
    shownBefore: servers.map(({ shown }) => now - (shown?.changedAt ?? 0)),
    announcedBefore: servers.map((server) => now - server.lastAnnounceAt),
    changedBefore: servers.map((server) => now - server.changedAt),
    now,
  }
}
