/** Columns that an insert may leave to the database. */
import type { ColumnType } from 'kysely'

export type Defaulted<T> = ColumnType<T, T | undefined, T>
export type DefaultedTime = ColumnType<Date, Date | undefined, Date>
