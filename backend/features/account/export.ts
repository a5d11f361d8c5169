/** Everything held on a person, for themselves, as it is at one moment. */
import type { Export } from '#contract/account.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { legibleHistory } from '#backend/features/history/history.present.ts'
import { maskedForOwner } from '#backend/features/protection/issues.present.ts'
import { getMe } from '#backend/features/users/users.present.ts'
import { listShown } from './account.queries.ts'
import { HOLDINGS } from './personal-data.ts'

type Row = Export['held'][string][number]

export function exportAll(db: Db, userId: string, now: Date): Promise<Export> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      const held: Record<string, Row[]> = {}
      for (const holding of HOLDINGS)
        held[holding.table] = await asInPanel(trx, userId, holding.table, await listShown(trx, holding, userId))
      return { format: 'muster-export-1', exported_at: now.toISOString(), me: await getMe(trx, userId), held }
    })
}

/** As the panel shows it: nobody else's address, and no administrator. */
async function asInPanel(trx: Db, userId: string, table: string, rows: Row[]): Promise<Row[]> {
  if (table === 'protection_issues') return maskedForOwner(trx, userId, rows)
  if (table === 'player_history') return legibleHistory(rows)
  return table === 'activity' ? rows.map((row) => withoutAdministrator(userId, row)) : rows
}

/** Which administrator it was is for administrators to know. */
function withoutAdministrator(userId: string, row: Row): Row {
  return row.role === 'administrator' && row.actor_id !== userId ? { ...row, actor_id: null } : row
}
