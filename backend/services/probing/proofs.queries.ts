/** Stores what the list could prove of endpoints. */
import { sql } from 'kysely'
import type { Db } from '#backend/platform/database/open.ts'
import type { Proof } from '#backend/masterlist/registry/endpoint.ts'

export interface StoredProof extends Proof {
  readonly publicId: string
  /** The owner whom the proof is about. After a transfer nothing is stored. */
  readonly ownerId: string
  /** Undefined if nothing answered this time. */
  readonly provenAt: Date | undefined
}

/** Replaces the proof of a server. */
export async function saveProof(db: Db, proof: StoredProof): Promise<void> {
  const { publicId, ownerId, host, port, addresses, isNameProven, failure, failedAt, provenAt = null } = proof
  await sql`
    insert into endpoint_proofs (server_id, host, port, addresses, is_name_proven, proven_at, failure, failed_at)
    select public_id, ${host}, ${port}::integer, ${addresses}::inet[], ${isNameProven}::boolean, ${provenAt}::timestamptz, ${failure},
      ${failedAt === undefined ? null : new Date(failedAt)}::timestamptz
    from servers where public_id = ${publicId} and owner_id = ${ownerId}::uuid
    for key share
    on conflict (server_id) do update set host = excluded.host, port = excluded.port, addresses = excluded.addresses,
      is_name_proven = excluded.is_name_proven, failure = excluded.failure, failed_at = excluded.failed_at,
      proven_at = case when endpoint_proofs.host = excluded.host and endpoint_proofs.port = excluded.port
        then coalesce(excluded.proven_at, endpoint_proofs.proven_at) else excluded.proven_at end`.execute(db)
}

/** When the endpoint of a server answered last. */
export async function findProvenAt(db: Db, publicId: string): Promise<Date | undefined> {
  const row = await db.selectFrom('endpoint_proofs').select('proven_at').where('server_id', '=', publicId).executeTakeFirst()
  return row?.proven_at ?? undefined
}
