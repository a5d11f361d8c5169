import type { IssueKind } from '#contract/protection/protection.ts'
import type { Db } from '#backend/platform/database/open.ts'

/** Servers and fingerprints of open issues of a kind. */
export async function listOpenIssues(db: Db, kind: IssueKind): Promise<{ readonly publicId: string; readonly fingerprint: string }[]> {
  const rows = await db
    .selectFrom('protection_issues')
    .select(['server_id', 'fingerprint'])
    .where('kind', '=', kind)
    .where('status', 'in', ['OPEN', 'ACKNOWLEDGED'])
    .execute()
  return rows.flatMap(({ server_id: publicId, fingerprint }) => (publicId === null ? [] : [{ publicId, fingerprint }]))
}
