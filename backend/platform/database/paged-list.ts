/** Paged lists as index scans and conditions, and helpers to describe them. */
import { type RawBuilder, sql } from 'kysely'
import { invalid } from '#backend/platform/errors.ts'

export type Sql = RawBuilder<unknown>

export interface SortKey {
  readonly sql: Sql
  readonly type: 'text' | 'uuid' | 'timestamptz' | 'integer' | 'bigint'
}

export interface IndexScan {
  /** The table and its joins, written so that the planner scans the index in order. */
  readonly from: Sql
  /** The same tables for a search by the conditions' own indexes, where the planner may choose the joins. */
  readonly unordered?: Sql
  /** The rows of this scan: the index's own condition, or its first column. */
  readonly where?: Sql
  /** Rows that match any of these; each has an index in this order. */
  readonly anyOf?: readonly Sql[]
  /** No row matches two of `anyOf`. */
  readonly isDisjoint?: boolean
  /** The index's order; the last key is a unique id. */
  readonly orderBy: readonly [SortKey, ...SortKey[]]
  readonly descending: boolean
  /** The keys change often: those of a row that left the scan don't show its former position. */
  readonly hasVolatileKeys?: boolean
  /** For counting only: every row of the scan meets the list's conditions. */
  readonly matchesAll?: boolean
}

export interface Condition {
  /** Tested on each row of a scan. */
  readonly predicate: Sql
  /** The same in a form that an index supports; default: `predicate`. */
  readonly indexed?: Sql
}

export interface PagedList {
  readonly scans: readonly [IndexScan, ...IndexScan[]]
  readonly where: readonly Condition[]
  /** The same rows in a form that is faster to count; default: `scans`. */
  readonly countScans?: readonly [IndexScan, ...IndexScan[]]
  /** So few matching rows that a scan in order is wasteful: uses the conditions' own indexes at once. */
  readonly isNarrow?: boolean
  /** Narrow by the value of one plain column, which the planner estimates well. */
  readonly isExact?: boolean
  isId(text: string): boolean
}

/** A row's sort keys as texts, in the database's full precision; the last one is the id. */
export type Keys = readonly string[]

/** The normalized search term, if any. Throws `invalid` for a text that the database can't store. */
export function searchTerm(search: string | undefined): string | undefined {
  if (search === undefined || search === '') return undefined
  if (/\p{Cc}/u.test(search) || !search.isWellFormed()) throw invalid('SEARCH_NOT_TEXT')
  return search.normalize('NFC')
}

/** Characters that form a trigram in every locale. Others may form none, and PostgreSQL would read the whole index. */
const TRIGRAM = /[0-9a-z]{3}/

/** Rows whose lower-case column contains the term. The column needs both indexes: trigrams, and grams of one or two letters. */
export function containsText(column: Sql, term: string): Condition {
  const pattern = `%${term.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  const like = sql`like lower(${pattern}::text)`
  const predicate = sql`${column} ${like}`
  const lower = term.toLowerCase()
  if (TRIGRAM.test(lower)) return { predicate }
  if (Array.from(lower).length > 2) {
    // `|| ''` keeps the planner from using the trigram index.
    return { predicate, indexed: sql`(short_grams(${column}) @> grams_of_term(lower(${term}::text)) and ${column} || '' ${like})` }
  }
  return { predicate, indexed: sql`short_grams(${column}) @> array[lower(${term}::text)]` }
}
