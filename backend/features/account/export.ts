/** Everything held on a person, for themselves, as it is at one moment. */
import type { Export } from '#contract/account.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { unpackHistory } from '#backend/features/history/history.present.ts'
import { maskedForOwner } from '#backend/features/protection/issues.present.ts'
import { getMe } from '#backend/features/users/users.present.ts'
import { listExported } from './account.queries.ts'
import { PERSONAL_DATA } from './personal-data.ts'

type Row = Export['held'][string][number]

export function exportAll(db: Db, userId: string, now: Date): Promise<Export> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      const held: Record<string, Row[]> = {}
      for (const holding of PERSONAL_DATA)
        held[holding.table] = await maskRows(trx, userId, holding.table, await listExported(trx, holding, userId))
      return { format: 'muster-export-1', exported_at: now.toISOString(), me: await getMe(trx, userId), held }
    })
}

/** As the panel shows it: nobody else's address, and no administrator. */
async function maskRows(trx: Db, userId: string, table: string, rows: Row[]): Promise<Row[]> {
  if (table === 'protection_issues') return maskedForOwner(trx, userId, rows)
  if (table === 'player_history') return unpackHistory(rows)
  return table === 'activity' ? rows.map((row) => maskAdministrator(userId, row)) : rows
}

/** Which administrator it was is for administrators to know. */
function maskAdministrator(userId: string, row: Row): Row {
  return row.role === 'administrator' && row.actor_id !== userId ? { ...row, actor_id: null } : row
}
