import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#backend/platform/database/open.ts'

/** A ban holds an erasure: else it would end by one. */
const isDue = sql<boolean>`delete_at <= now() and not banned`

/** Whose time is over, the longest due first. */
export async function listDue(db: Db, except: readonly string[], most: number): Promise<string[]> {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where(isDue)
    .where('id', '<>', sql<string>`all(${except}::uuid[])`)
    .orderBy('delete_at')
    .limit(most)
    .execute()
  return rows.map((row) => row.id)
}

/** Holds a person whose time is over. False where it is not, or where somebody else holds him: then it waits for the next look. */
export async function holdDue(trx: Db, id: string): Promise<boolean> {
  const row = await trx.selectFrom('users').select('id').where('id', '=', id).where(isDue).forUpdate().skipLocked().executeTakeFirst()
  return row !== undefined
}

const hisServers = (userId: string) => sql`(select public_id from servers where owner_id = ${userId}::uuid)`

/** The list holds a live state before the check of its references: first the server, then the credential. */
export async function holdPresence(trx: Db, userId: string): Promise<void> {
  await sql`select from presence where server_id in ${hisServers(userId)} order by server_id for update`.execute(trx)
}

/** The list holds a credential before its uses. */
export async function holdCredentials(trx: Db, userId: string): Promise<void> {
  await sql`select from credentials where server_id in ${hisServers(userId)} order by id for no key update`.execute(trx)
}

interface Shown {
  readonly table: string
  readonly columns: readonly string[]
  readonly where: RawBuilder<boolean>
}

/** Rows of any table, in the order of their first column. */
export async function listRows(db: Db, { table, columns, where }: Shown): Promise<Record<string, unknown>[]> {
  const refs = columns.map((column) => sql.ref(column))
  const { rows } = await sql<Record<string, unknown>>`
    select ${sql.join(refs)} from ${sql.table(table)} where ${where} order by 1`.execute(db)
  return rows
}
