/** All personal data of a user, for themselves, from one snapshot. */
import { sql } from 'kysely'
import type { Export } from '#contract/users/account.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { maskedForOwner } from '#backend/core/protection/issues.present.ts'
import { getMe } from '#backend/core/users/users.present.ts'
import { PERSONAL_DATA, type PersonalDataTable } from './personal-data.ts'

type Row = Export['held'][string][number]

export function exportAll(db: Db, userId: string, now: Date): Promise<Export> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      const held: Record<string, Row[]> = {}
      for (const data of PERSONAL_DATA)
        held[data.exportedAs] = await maskRows(trx, userId, data.table, await listExported(trx, data, userId))
      return { format: 'muster-export-1', exported_at: now.toISOString(), me: await getMe(trx, userId), held }
    })
}

/** The exported rows of a table, ordered by the first exported column. */
async function listExported(db: Db, { table, exportedColumns, exportedRows }: PersonalDataTable, userId: string): Promise<Row[]> {
  const columns = sql.join(exportedColumns.map((column) => sql.ref(column)))
  return (await sql<Row>`select ${columns} from ${sql.table(table)} where ${exportedRows(userId)} order by 1`.execute(db)).rows
}

/** Masks as the panel does: no addresses of others, no administrator's identity. */
async function maskRows(trx: Db, userId: string, table: string, rows: Row[]): Promise<Row[]> {
  if (table === 'protection_issues') return maskedForOwner(trx, userId, rows)
  return table === 'activity' ? rows.map((row) => maskActor(userId, row)) : rows
}

/** Only administrators may know which administrator acted. The name of an API key is for its user. */
function maskActor(userId: string, row: Row): Row {
  if (row.actor_id === userId) return row
  return { ...row, api_key_name: null, ...(row.role === 'administrator' && { actor_id: null }) }
}
