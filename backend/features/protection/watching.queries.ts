import type { Db } from '#backend/database/open.ts'

/** Servers with an open issue for their name, and whose name it is taken for. */
export async function listOpenImpersonations(db: Db): Promise<{ readonly server_id: string; readonly fingerprint: string }[]> {
  const rows = await db
    .selectFrom('protection_issues')
    .select(['server_id', 'fingerprint'])
    .where('kind', '=', 'IMPERSONATION')
    .where('status', 'in', ['OPEN', 'ACKNOWLEDGED'])
    .execute()
  return rows.flatMap(({ server_id, fingerprint }) => (server_id === null ? [] : [{ server_id, fingerprint }]))
}
