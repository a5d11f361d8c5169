/** A server's live state as it is saved: a row of `presence`, or a line of the presence file. */
import { savedOf } from '#backend/masterlist/registry/announced.ts'
import type { ShownRow } from '#backend/masterlist/registry/listed-row.ts'
import type { Announced, ServerRecord } from '#backend/masterlist/registry/server-record.ts'
import type { PlayersColumns, PresenceRow } from './masterlist.writes.ts'

/** Empty where it never announced. */
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

/** A server that is on the published list. */
type ShownServer = ServerRecord & { readonly shown: ShownRow; readonly announced: Announced }

export function isShown(server: ServerRecord): server is ShownServer {
  return server.shown !== undefined && server.announced !== undefined
}

/** What is saved where only the players changed. @param now any wall milliseconds near the rows', because small numbers cost the least. */
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
