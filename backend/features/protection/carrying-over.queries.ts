import { sql } from 'kysely'
import type { Db } from '#backend/platform/database/open.ts'

export type OpenIssue = Awaited<ReturnType<typeof listOpenOf>>[number]

/** Open issues of the present owners of these servers, oldest first. */
export function listOpenOf(db: Db, publicIds: readonly string[]) {
  return db
    .selectFrom('protection_issues as i')
    .innerJoin('servers as s', (join) => join.onRef('s.public_id', '=', 'i.server_id').onRef('s.owner_id', '=', 'i.user_id'))
    .select(['i.id', 'i.server_id', 's.name as server_name', 'i.kind', 'i.severity', 'i.fingerprint', 'i.status', 'i.consequence'])
    .select(['i.consequence_at', 'i.is_consequence_chosen', 'i.summary', 'i.evidence', 'i.occurrences'])
    .select(['i.first_seen_at', 'i.last_seen_at', 'i.opened_at'])
    .where('i.server_id', '=', sql<string>`any(${publicIds}::text[])`)
    .where('i.status', 'in', ['OPEN', 'ACKNOWLEDGED'])
    .orderBy('i.first_seen_at')
    .orderBy('i.id')
    .execute()
}
