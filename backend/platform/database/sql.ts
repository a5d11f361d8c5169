/** Parts that many statements share. */
import { sql } from 'kysely'

/** For `.where(column, '=', anyOf(values))`. Unlike `in`, it takes an empty list, and a list of any length is one parameter. */
export const anyOf = (values: readonly string[]) => sql<string>`any(${values})`

/** For `.where(column, '<>', allOf(values))`, which leaves these values out. */
export const allOf = (values: readonly string[]) => sql<string>`all(${values})`

/** The start of the transaction, by the database's clock. */
export const now = sql<Date>`now()`
