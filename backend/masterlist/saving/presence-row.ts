/** A server's live state as it is saved: a row of `presence`, or a line of the presence file. */
import { savedOf } from '#backend/masterlist/registry/announced.ts'
import type { ShownRow } from '#backend/masterlist/registry/listed-row.ts'
import type { Announced, ServerRecord } from '#backend/masterlist/registry/server-record.ts'

/** Has the columns' names, because batches are sent as JSON. Times are wall milliseconds. */
export type PresenceRow = NonNullable<ReturnType<typeof presenceOf>>

/** Undefined where it never announced. */
export function presenceOf(server: ServerRecord) {
  if (server.announced === undefined) return undefined
  return {
    server_id: server.publicId,
    /** The owner at the announce: a state from before a transfer is dropped. */
    owner_id: server.fields.ownerId,
    online: server.online,
    since: server.since,
    ended_by: server.endedBy,
    last_announce_at: server.lastAnnounceAt,
    address: server.address,
    credential_id: server.credentialId ?? null,
    announce: savedOf(server.announced),
    changed_at: server.changedAt,
  }
}

type ShownServer = ServerRecord & { readonly shown: ShownRow; readonly announced: Announced }

export function isShown(server: ServerRecord): server is ShownServer {
  return server.shown !== undefined && server.announced !== undefined
}

export type PlayersColumns = ReturnType<typeof playersOf>

/** What is saved where only the players changed. Times are milliseconds before `now`, as small numbers cost less; `shownMsAgo` is the replaced row's. */
export function playersOf(servers: readonly ShownServer[], now: number) {
  return {
    ids: servers.map((server) => server.publicId),
    players: servers.map(({ announced }) => announced.playersCount),
    queue: servers.map(({ announced }) => announced.queueCount),
    shownMsAgo: servers.map(({ shown }) => now - shown.changedAt),
    announcedMsAgo: servers.map((server) => now - server.lastAnnounceAt),
    changedMsAgo: servers.map((server) => now - server.changedAt),
    now,
  }
}
