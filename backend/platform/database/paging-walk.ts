/** What a list is made of: walks along indexes, and conditions. */
import { type RawBuilder, sql } from 'kysely'
import { invalid } from '#backend/platform/errors.ts'

export type Sql = RawBuilder<unknown>

export interface Key {
  readonly sql: Sql
  readonly type: 'text' | 'uuid' | 'timestamptz' | 'integer' | 'bigint'
}

/** Rows in the order of an index. */
export interface Walk {
  /** The table and what is joined to it, in a way that the walk stays on the index. */
  readonly from: Sql
  /** The same tables for the other way, which begins at what the conditions' own indexes find: joined as the planner likes. */
  readonly free?: Sql
  /** What of them is in this walk; the index has it as its condition or first column. */
  readonly where?: Sql
  /** Where given, rows of any of these, each of which has an index in this order. */
  readonly any?: readonly Sql[]
  /** No row is of two of these. */
  readonly isDisjoint?: boolean
  /** What the index is sorted by, the last one an id that no two rows share. */
  readonly by: readonly [Key, ...Key[]]
  readonly descending: boolean
  /** Its keys change while somebody reads: a row that left the walk says nothing about where it was. */
  readonly isMoving?: boolean
  /** Of a walk that is only counted: the list's conditions hold for each of its rows, so that nobody asks them. */
  readonly isWhole?: boolean
}

export interface Condition {
  /** Asked of each row that the walk comes by. */
  readonly test: Sql
  /** The same in a form that an index answers; the same text where it is left out. */
  readonly found?: Sql
}

export interface List {
  /** What list it is and what it is narrowed by: lists of one name have the same rows. */
  readonly name: string
  /** One after the other. */
  readonly walks: readonly [Walk, ...Walk[]]
  /** All of them hold. */
  readonly where: readonly Condition[]
  /** The same rows in a form that is counted sooner; the walks where it is left out. */
  readonly counted?: readonly [Walk, ...Walk[]]
  /** Rows only come: what was too many to be counted stays so. */
  readonly onlyGrows?: boolean
  /** So few rows at most that walking in order is a waste: the conditions' own indexes are asked at once. */
  readonly isNarrow?: boolean
  /** Narrow by the value of one plain column, which the planner knows how to find. */
  readonly isExact?: boolean
  /** Whether a text can be a row's id. */
  isId(text: string): boolean
}

/** A row's keys as texts, as exact as the database has them; the last one is the id. */
export type Keys = readonly string[]

/** Says which list it is: the same for every page, sort and order of the same rows. */
export function nameOfList(what: string, query: object): string {
  const rows = Object.entries(query).filter(([name, value]) => value !== undefined && !PAGING.has(name))
  return `${what} ${JSON.stringify(rows.toSorted(([a], [b]) => (a < b ? -1 : 1)))}`
}

/** What chooses among the rows of a list, not which they are. */
const PAGING = new Set(['page', 'per_page', 'after', 'before', 'sort', 'order'])

/** What somebody searches for; undefined where nothing. Throws for what no text in the database can hold. */
export function searchTerm(search: string | undefined): string | undefined {
  if (search === undefined || search === '') return undefined
  if (/\p{Cc}/u.test(search) || !search.isWellFormed()) throw invalid("search can't contain control characters or broken letters.")
  return search.normalize('NFC')
}

/** Three of these beside each other make a trigram in every locale; of other signs there may be none, and that index would be read as a whole. */
const TRIGRAM = /[0-9a-z]{3}/

/** Rows with these letters in a column that is kept in small letters and has both indexes: by three letters, and by one or two. */
export function matching(column: Sql, term: string): Condition {
  const pattern = `%${term.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  const like = sql`like lower(${pattern}::text)`
  const test = sql`${column} ${like}`
  const small = term.toLowerCase()
  if (TRIGRAM.test(small)) return { test }
  if (Array.from(small).length > 2) {
    // Not the column itself, lest the index of trigrams is asked for it.
    return { test, found: sql`(short_grams(${column}) @> grams_of_term(lower(${term}::text)) and ${column} || '' ${like})` }
  }
  return { test, found: sql`short_grams(${column}) @> array[lower(${term}::text)]` }
}
