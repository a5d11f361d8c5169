import { SAME_NAME } from '#backend/features/protection/same-name.ts'
import type { Db } from '#backend/platform/database/open.ts'

/** Servers with an open issue for a name that is taken for a verified or promoted one, and for which one. */
export async function listOpenImpersonations(db: Db): Promise<{ readonly server_id: string; readonly fingerprint: string }[]> {
  const rows = await db
    .selectFrom('protection_issues')
    .select(['server_id', 'fingerprint'])
    .where('kind', '=', 'IMPERSONATION')
    .where('fingerprint', 'not like', `${SAME_NAME}%`)
    .where('status', 'in', ['OPEN', 'ACKNOWLEDGED'])
    .execute()
  return rows.flatMap(({ server_id, fingerprint }) => (server_id === null ? [] : [{ server_id, fingerprint }]))
}
