import { sql } from 'kysely'
import type { Db } from '#backend/platform/database/open.ts'
import { type PersonalDataTable, serverIdsOf } from './personal-data.ts'

/** A ban holds an erasure: else it would end by one. */
const isDue = sql<boolean>`delete_at <= now() and not banned`

/** People who are due to be erased, the longest due first. */
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

/** Locks a person who is due. False where they are not, or where another node has locked them. */
export async function lockDue(trx: Db, id: string): Promise<boolean> {
  const row = await trx.selectFrom('users').select('id').where('id', '=', id).where(isDue).forUpdate().skipLocked().executeTakeFirst()
  return row !== undefined
}

/** The list locks a live state before the check of its references: first the server, then the credential. */
export async function lockPresence(trx: Db, userId: string): Promise<void> {
  await sql`select from presence where server_id in ${serverIdsOf(userId)} order by server_id for update`.execute(trx)
}

/** The list locks a credential before its uses. */
export async function lockCredentials(trx: Db, userId: string): Promise<void> {
  await sql`select from credentials where server_id in ${serverIdsOf(userId)} order by id for no key update`.execute(trx)
}

/** What a person's export shows of a table, in the order of the first column. */
export async function listExported(
  db: Db,
  { table, exportedColumns: exported, exportedRows: shown }: PersonalDataTable,
  userId: string,
): Promise<Record<string, unknown>[]> {
  const columns = sql.join(exported.map((column) => sql.ref(column)))
  const query = sql<Record<string, unknown>>`select ${columns} from ${sql.table(table)} where ${shown(userId)} order by 1`
  return (await query.execute(db)).rows
}
