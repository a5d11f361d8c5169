/** A saved live state: a row of `presence`, or a line of the presence file. */
import type { PublishedRow } from '#backend/masterlist/registry/listed-row.ts'
import type { AnnouncedState, ServerRecord } from '#backend/masterlist/registry/server-record.ts'

/** Fields are named like the columns, because batches are sent as JSON. Times are wall milliseconds. */
export type PresenceRow = NonNullable<ReturnType<typeof presenceOf>>

/** Undefined if the server never announced. */
export function presenceOf(server: ServerRecord) {
  if (server.announced === undefined) return undefined
  return {
    server_id: server.publicId,
    /** The owner at the time of the announce: a state from before a transfer is dropped. */
    owner_id: server.fields.ownerId,
    online: server.online,
    since: server.since,
    ended_by: server.endedBy,
    last_announce_at: server.lastAnnounceAt,
    address: server.address,
    credential_id: server.credentialId ?? null,
    announce: server.announced,
    changed_at: server.changedAt,
  }
}

type PublishedServer = ServerRecord & { readonly published: PublishedRow; readonly announced: AnnouncedState }

export function isPublished(server: ServerRecord): server is PublishedServer {
  return server.published !== undefined && server.announced !== undefined
}

export type PlayersColumns = ReturnType<typeof playersColumnsOf>

/** The columns to save if only the counts changed. Times are milliseconds before `now`, because small numbers are cheaper. `publishedMsAgo` identifies the replaced row. */
export function playersColumnsOf(servers: readonly PublishedServer[], now: number) {
  return {
    ids: servers.map((server) => server.publicId),
    players: servers.map(({ announced }) => announced.playersCount),
    queue: servers.map(({ announced }) => announced.queueCount),
    publishedMsAgo: servers.map(({ published }) => now - published.changedAt),
    announcedMsAgo: servers.map((server) => now - server.lastAnnounceAt),
    changedMsAgo: servers.map((server) => now - server.changedAt),
    now,
  }
}
