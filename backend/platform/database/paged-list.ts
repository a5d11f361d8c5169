/** What a list is made of: walks along indexes, and conditions. */
import { type RawBuilder, sql } from 'kysely'
import { invalid } from '#backend/platform/errors.ts'

export type Sql = RawBuilder<unknown>

export interface SortKey {
  readonly sql: Sql
  readonly type: 'text' | 'uuid' | 'timestamptz' | 'integer' | 'bigint'
}

export interface IndexScan {
  /** The table and its joins, such that the walk stays on the index. */
  readonly from: Sql
  /** The same tables for the way that begins at the conditions' own indexes: joined as the planner likes. */
  readonly unordered?: Sql
  /** The rows of this walk; the index has it as its condition or first column. */
  readonly where?: Sql
  /** Rows of any of these, each of which has an index in this order. */
  readonly anyOf?: readonly Sql[]
  /** No row meets two of these. */
  readonly isDisjoint?: boolean
  /** The index's order; the last key is a unique id. */
  readonly orderBy: readonly [SortKey, ...SortKey[]]
  readonly descending: boolean
  /** Its keys change all the time: a row that left the walk does not say where it was. */
  readonly hasVolatileKeys?: boolean
  /** For a walk that is only counted: the list's conditions hold for each of its rows. */
  readonly matchesAll?: boolean
}

export interface Condition {
  /** For each row along the walk. */
  readonly predicate: Sql
  /** The same in a form that an index answers; `test` where it is left out. */
  readonly indexed?: Sql
}

export interface PagedList {
  /** Lists of one name have the same rows. */
  readonly cacheKey: string
  readonly scans: readonly [IndexScan, ...IndexScan[]]
  readonly where: readonly Condition[]
  /** The same rows in a form that is counted faster; the walks where it is left out. */
  readonly countScans?: readonly [IndexScan, ...IndexScan[]]
  readonly isAppendOnly?: boolean
  /** So few rows that walking in order is a waste: the conditions' own indexes are used at once. */
  readonly isNarrow?: boolean
  /** Narrow by the value of one plain column, which the planner handles well. */
  readonly isExact?: boolean
  isId(text: string): boolean
}

/** A row's keys as texts, as exact as the database has them; the last one is the id. */
export type Keys = readonly string[]

/** Query parameters that choose among the rows of a list. */
const PAGING = new Set(['page', 'per_page', 'after', 'before', 'sort', 'order'])

/** The same for every page, sort and order of the same rows. */
export function listCacheKey(what: string, query: object): string {
  const rows = Object.entries(query).filter(([name, value]) => value !== undefined && !PAGING.has(name))
  return `${what} ${JSON.stringify(rows.toSorted(([a], [b]) => (a < b ? -1 : 1)))}`
}

/** The normalized term; undefined where there is none. Throws for a text that the database can't hold. */
export function searchTerm(search: string | undefined): string | undefined {
  if (search === undefined || search === '') return undefined
  if (/\p{Cc}/u.test(search) || !search.isWellFormed()) throw invalid("search can't contain control characters or broken letters.")
  return search.normalize('NFC')
}

/** These make a trigram in every locale. Other characters may make none, and then the whole index would be read. */
const TRIGRAM = /[0-9a-z]{3}/

/** Rows that contain the term in a lower-case column with both indexes: of trigrams, and of one or two letters. */
export function containsText(column: Sql, term: string): Condition {
  const pattern = `%${term.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  const like = sql`like lower(${pattern}::text)`
  const test = sql`${column} ${like}`
  const small = term.toLowerCase()
  if (TRIGRAM.test(small)) return { predicate: test }
  if (Array.from(small).length > 2) {
    // `|| ''` keeps the planner off the index of trigrams.
    return { predicate: test, indexed: sql`(short_grams(${column}) @> grams_of_term(lower(${term}::text)) and ${column} || '' ${like})` }
  }
  return { predicate: test, indexed: sql`short_grams(${column}) @> array[lower(${term}::text)]` }
}
