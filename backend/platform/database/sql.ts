/** SQL fragments that many queries share. */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from './open.ts'
import type { Tables } from './tables.ts'

/** For `.where(column, '=', anyOf(values))`. Unlike `in`, it takes an empty list, and a list of any length is one parameter. */
export const anyOf = (values: readonly string[]) => sql<string>`any(${values})`

/** For `.where(column, '<>', allOf(values))`, which leaves these values out. */
export const allOf = (values: readonly string[]) => sql<string>`all(${values})`

/** The start of the transaction, by the database's clock. */
export const now = sql<Date>`now()`

const DELETE_BATCH = 5000

/** Deletes in batches. Skips locked rows, such as those of a server that is being deleted. @param stopping ends it after the current batch. */
export async function deleteInBatches(db: Db, table: keyof Tables, where: RawBuilder<unknown>, stopping?: AbortSignal): Promise<void> {
  let deleted: number
  do {
    if (stopping?.aborted === true) return
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)} where ctid = any(array(
        select ctid from ${sql.table(table)} where ${where} limit ${DELETE_BATCH} for update skip locked))`.execute(db)
    deleted = Number(numAffectedRows)
  } while (deleted === DELETE_BATCH)
}
