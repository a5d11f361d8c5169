/** The statements of lists: along an index as far as is cheap, else from the conditions' own indexes. */
import { sql } from 'kysely'
import type { Db } from './open.ts'
import type { Keys, PagedList, Sql, IndexScan } from './paged-list.ts'

/** So many rows are read in order before the conditions' own indexes are used. */
const ROWS_WALKED = 2000
/** So many of them first, which say whether the others are worth it. */
const ROWS_TRIED = 250
/** So many are read for each row of the page and before it. */
const ROWS_WALKED_EACH = 4
/** Where at least this part of the rows is in the list, counting along the table is cheaper than by indexes. */
const DENSE = 0.2

interface Start {
  /** The keys of the row behind which it begins. */
  readonly start: Keys | undefined
  readonly isBackwards: boolean
}

export interface PageRequest extends Start {
  readonly offset: number
  readonly limit: number
}

export interface PageRows {
  readonly rows: readonly Keys[]
  /** The part of the rows that were read that is in the list; undefined where that is unknown. */
  readonly density?: number | undefined
  /** All there are, where that is known anyway. */
  readonly total?: number | undefined
}

const all = (conditions: readonly Sql[]) => (conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `))
const keysOf = (walk: IndexScan) => sql.join(walk.orderBy.map((key, index) => sql`${key.sql} as ${sql.ref(`k${index}`)}`))
const direction = (walk: IndexScan, isBackwards: boolean) => (walk.descending === isBackwards ? sql`asc` : sql`desc`)
const orderOf = (walk: IndexScan, isBackwards: boolean) =>
  sql.join(walk.orderBy.map((key) => sql`${key.sql} ${direction(walk, isBackwards)}`))
const outerOrder = (walk: IndexScan, isBackwards: boolean) =>
  sql.join(walk.orderBy.map((_, index) => sql`${sql.ref(`x.k${index}`)} ${direction(walk, isBackwards)}`))
const outerKeys = (walk: IndexScan) =>
  sql.join(walk.orderBy.map((_, index) => sql`${sql.ref(`x.k${index}`)}::text as ${sql.ref(`k${index}`)}`))
const outerColumns = (walk: IndexScan) => sql.join(walk.orderBy.map((_, index) => sql.ref(`x.k${index}`)))
const alternatives = (walk: IndexScan) => walk.anyOf ?? [sql`true`]
const anyAlternative = (walk: IndexScan) => (walk.anyOf === undefined ? sql`true` : sql`(${sql.join(walk.anyOf, sql` or `)})`)
const conditionOf = (walk: IndexScan) => walk.where ?? sql`true`
const tests = (list: PagedList) => all(list.where.map((one) => one.predicate))
const found = (list: PagedList) => all(list.where.map((one) => one.indexed ?? one.predicate))

function behind(walk: IndexScan, { start, isBackwards }: Start): Sql {
  if (start === undefined) return sql`true`
  const keys = sql.join(walk.orderBy.map((key) => key.sql))
  const values = sql.join(walk.orderBy.map((key, index) => sql`${start[index] ?? ''}::${sql.raw(key.type)}`))
  const sign = walk.descending === isBackwards ? '>' : '<'
  return walk.orderBy.length === 1 ? sql`${keys} ${sql.raw(sign)} ${values}` : sql`(${keys}) ${sql.raw(sign)} (${values})`
}

const BEGINNING: Start = { start: undefined, isBackwards: false }

interface Count {
  readonly count: string
}

type Row = Record<string, string> & { readonly n?: string; readonly total?: string }
const keysIn = (walk: IndexScan, rows: readonly Row[]): Keys[] => rows.map((row) => walk.orderBy.map((_, index) => row[`k${index}`] ?? ''))

/** Rows of a walk: in order along its index where they come soon, else from the conditions' own indexes, sorted. */
export async function takeFrom(db: Db, list: PagedList, walk: IndexScan, ask: PageRequest): Promise<PageRows> {
  if (list.where.length === 0) {
    const { rows } = await walkQuery(list, walk, ask).execute(db)
    return { rows: keysIn(walk, rows), density: 1 }
  }
  if (list.isNarrow !== true && list.isExact !== true) {
    const taken = await inOrder(db, list, walk, ask)
    if (taken !== undefined) return taken
  }
  const { rows } = await byIndexes(db, list, (trx) => candidatesQuery(list, walk, ask).execute(trx))
  const total = rows[0]?.total
  return { rows: keysIn(walk, rows), density: 0, total: total === undefined ? undefined : Number(total) }
}

/** Along the index; undefined where the page is not full then. */
async function inOrder(db: Db, list: PagedList, walk: IndexScan, ask: PageRequest): Promise<PageRows | undefined> {
  const wanted = ask.offset + ask.limit
  const max = Math.max(ROWS_WALKED, wanted * ROWS_WALKED_EACH)
  const legs = wanted <= ROWS_TRIED ? [ROWS_TRIED, max] : [max]
  for (const leg of legs) {
    const whole = { ...ask, offset: 0, limit: wanted }
    const { rows } = await walkQuery(list, walk, leg === max ? ask : whole, leg).execute(db)
    const full = leg === max ? ask.limit : wanted
    // How far each of several stretches was read is unknown.
    const density = alternatives(walk).length > 1 ? 0 : wanted / Math.max(1, Number(rows.at(-1)?.n))
    if (rows.length >= full) return { rows: keysIn(walk, rows.slice(full - ask.limit)), density }
    if (rows.length * (max / leg) < wanted) return undefined
  }
  return undefined
}

/** Along the index, so far as is cheap. */
export function walkQuery(list: PagedList, walk: IndexScan, ask: PageRequest, looked = ROWS_WALKED) {
  const wanted = ask.offset + ask.limit
  const order = orderOf(walk, ask.isBackwards)
  const isOne = alternatives(walk).length === 1
  // Each of several stretches begins at its beginning; a row that several have counts once.
  const [skip, max] = isOne ? [ask.offset, ask.limit] : [0, wanted]
  const stretch = (one: Sql) => {
    const where = sql`${conditionOf(walk)} and ${one} and ${behind(walk, ask)}`
    if (list.where.length === 0)
      return sql`(select ${keysOf(walk)}, 0 as n from ${walk.from} where ${where} order by ${order} limit ${max} offset ${skip})`
    return sql`(select * from (
      select w.*, row_number() over () as n from (
        select ${keysOf(walk)}, (${tests(list)}) as ok from ${walk.from} where ${where} order by ${order}
        limit ${looked}
      ) w) x where x.ok limit ${max} offset ${skip})`
  }
  const stretches = alternatives(walk).map(stretch)
  const rows = isOne
    ? sql.join(stretches)
    : sql.join(
        stretches.map((one) => sql`select ${outerColumns(walk)}, 0 as n from ${one} x`),
        sql` union `,
      )
  return sql<Row>`select ${outerKeys(walk)}, x.n from (${rows}) x
    order by ${outerOrder(walk, ask.isBackwards)} limit ${ask.limit} offset ${ask.offset - skip}`
}

/** All rows that the conditions' own indexes find, sorted afterwards. */
export function candidatesQuery(list: PagedList, walk: IndexScan, ask: PageRequest) {
  const total = ask.start === undefined ? sql`, (select count(*) from c) as total` : sql``
  return sql<Row>`with c as materialized (
      select ${keysOf(walk)} from ${walk.unordered ?? walk.from}
      where ${conditionOf(walk)} and ${anyAlternative(walk)} and ${found(list)} and ${behind(walk, ask)}
    ) select ${outerKeys(walk)}${total} from c x order by ${outerOrder(walk, ask.isBackwards)} limit ${ask.limit} offset ${ask.offset}`
}

/** How many rows the walks have together, up to `max`. @param from where each begins. */
export async function countMatches(
  db: Db,
  list: PagedList,
  walks: readonly IndexScan[],
  max: number,
  density = 0,
  from: Start = BEGINNING,
): Promise<number> {
  let counted = 0
  for (const walk of walks) {
    if (counted >= max) break
    const isDense = isPlain(list, walk) || density >= DENSE
    const count = (on: Db) => countQuery(list, walk, max - counted, isDense, from).execute(on)
    const { rows } = isDense ? await count(db) : await byIndexes(db, list, count)
    counted += Number(rows[0]?.count ?? 0)
  }
  return counted
}

/** Whether a list without conditions, of one stretch, has more rows: cheaper than counting them. False for other lists. */
export async function hasMoreThan(db: Db, list: PagedList, max: number): Promise<boolean> {
  const [walk, ...others] = list.countScans ?? list.scans
  if (list.where.length > 0 || others.length > 0 || alternatives(walk).length > 1) return false
  const where = sql`${conditionOf(walk)} and ${sql.join(alternatives(walk))}`
  const { rows } = await sql`select 1 from ${walk.unordered ?? walk.from} where ${where} offset ${max} limit 1`.execute(db)
  return rows.length > 0
}

const isPlain = (list: PagedList, walk: IndexScan) => list.where.length === 0 || walk.matchesAll === true

/** @param isDense tests rows one by one instead of using the conditions' indexes. */
export function countQuery(list: PagedList, walk: IndexScan, max: number, isDense: boolean, from = BEGINNING) {
  const id = walk.orderBy.at(-1)?.sql ?? sql`1`
  const asked = isPlain(list, walk) ? sql`true` : isDense ? tests(list) : found(list)
  const conditions = sql`${asked} and ${behind(walk, from)}`
  const stretches = alternatives(walk).map(
    (one) =>
      sql`(select ${id} as id from ${walk.unordered ?? walk.from} where ${conditionOf(walk)} and ${one} and ${conditions} limit ${max})`,
  )
  if (stretches.length === 1) return sql<Count>`select count(*) from ${sql.join(stretches)} x`
  const union = walk.isDisjoint === true ? sql` union all ` : sql` union `
  return sql<Count>`select count(*) from (select 1 from (${sql.join(stretches, union)}) x limit ${max}) y`
}

/** A row's keys by its id, whatever the list's conditions; undefined where it isn't in the walk. @param isAnywhere also outside the walk. */
export async function findKeys(db: Db, walk: IndexScan, id: string, isAnywhere: boolean): Promise<Keys | undefined> {
  const last = walk.orderBy.at(-1)
  if (last === undefined) return undefined
  const within = isAnywhere ? sql`true` : sql`${conditionOf(walk)} and ${anyAlternative(walk)}`
  const { rows } = await sql<Row>`select ${outerKeys(walk)} from (
    select ${keysOf(walk)} from ${walk.from} where ${last.sql} = ${id}::${sql.raw(last.type)} and ${within}
  ) x`.execute(db)
  return keysIn(walk, rows)[0]
}

/** Keeps the planner from scanning the whole table where it expects too many rows of a condition. */
function byIndexes<T>(db: Db, list: PagedList, read: (trx: Db) => Promise<T>): Promise<T> {
  if (list.isExact === true) return read(db)
  return db.transaction().execute(async (trx) => {
    await sql`select set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true)`.execute(trx)
    return read(trx)
  })
}
