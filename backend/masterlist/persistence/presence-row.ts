/** A live state as it is saved: a row of `presence`. */
import type { ServerRecord } from '#backend/masterlist/registry/server-record.ts'

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
    other_address: server.otherAddress === '' ? null : server.otherAddress,
    endpoint_since: server.endpointSince,
    credential_id: server.credentialId ?? null,
    announce: server.announced,
    changed_at: server.changedAt,
  }
}
