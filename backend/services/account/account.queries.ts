import { sql } from 'kysely'
import type { Db } from '#backend/platform/database/open.ts'
import type { PersonalDataTable } from './personal-data.ts'

/** A ban suspends the erasure; otherwise a user could escape the ban by it. */
const isDue = sql<boolean>`delete_at <= now() and not banned`

/** Users due for erasure, longest overdue first. */
export async function listDue(db: Db, except: readonly string[], max: number): Promise<string[]> {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where(isDue)
    .where('id', '<>', sql<string>`all(${except}::uuid[])`)
    .orderBy('delete_at')
    .limit(max)
    .execute()
  return rows.map((row) => row.id)
}

/** Locks a user due for erasure. False if they are not due or are locked by another node. */
export async function lockDue(trx: Db, id: string): Promise<boolean> {
  const row = await trx.selectFrom('users').select('id').where('id', '=', id).where(isDue).forUpdate().skipLocked().executeTakeFirst()
  return row !== undefined
}

/** The exported rows of a table, ordered by the first exported column. */
export async function listExported(
  db: Db,
  { table, exportedColumns, exportedRows }: PersonalDataTable,
  userId: string,
): Promise<Record<string, unknown>[]> {
  const columns = sql.join(exportedColumns.map((column) => sql.ref(column)))
  const query = sql<Record<string, unknown>>`select ${columns} from ${sql.table(table)} where ${exportedRows(userId)} order by 1`
  return (await query.execute(db)).rows
}
