/** A server's live state as it is kept: a row of `presence`, a line of the presence file. */
import { savedOf } from '#backend/features/masterlist/registry/announced.ts'
import type { ServerRecord } from '#backend/features/masterlist/registry/server-record.ts'
import type { PresenceRow } from './masterlist.writes.ts'

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
