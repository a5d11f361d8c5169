/** Everything held on a person, for himself, as it is at one moment. */
import type { Export } from '#contract/account.ts'
import type { Db } from '#backend/database/open.ts'
import { getMe } from '#backend/features/users/users.ts'
import { listRows } from './account.queries.ts'
import { HOLDINGS } from './holdings.ts'

type Row = Export['held'][string][number]

export function exportAll(db: Db, userId: string, now: Date): Promise<Export> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      const held: Record<string, Row[]> = {}
      for (const { table, his, exported } of HOLDINGS) {
        const rows = await listRows(trx, { table, columns: exported, where: his(userId) })
        held[table] = table === 'activity' ? rows.flatMap((row) => activityFor(userId, row)) : rows
      }
      return { format: 'muster-export-1', exported_at: now.toISOString(), me: await getMe(trx, userId), held }
    })
}

/** The same as the panel shows: which administrator it was is for administrators to know, and so is what one did to others. */
function activityFor(userId: string, row: Row): Row[] {
  if (row.role !== 'administrator' || row.actor_id === null) return [row]
  const isAboutHim = row.owner_id === userId || row.other_id === userId
  if (row.actor_id === userId) return isAboutHim ? [row] : []
  return [{ ...row, actor_id: null }]
}
