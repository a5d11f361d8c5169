import type { Db } from '#backend/platform/database/open.ts'

/** The public ids of servers with an issue of this kind that is not over. */
export async function listUnreachable(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('protection_issues')
    .select('server_id')
    .where('kind', '=', 'UNREACHABLE')
    .where('status', 'in', ['OPEN', 'ACKNOWLEDGED'])
    .execute()
  return rows.flatMap((row) => row.server_id ?? [])
}
