/** The SQL of paged lists: scans in order while that is cheap, else searches by the conditions' own indexes. */
import { sql } from 'kysely'
import type { Db } from './open.ts'
import type { Keys, PagedList, Sql, IndexScan } from './paged-list.ts'

/** Maximum rows scanned in order before using the conditions' own indexes. */
const MAX_SCANNED = 2000
/** The first part of them, which shows whether the rest is worth it. */
const SAMPLE_ROWS = 250
/** Maximum rows scanned per requested row, if that is more. */
const MAX_SCANNED_PER_ROW = 4
/** If at least this share of rows matches, counting by a table scan is cheaper than by indexes. */
const DENSE = 0.2

interface Start {
  /** The keys of the row after which to start. */
  readonly start: Keys | undefined
  readonly isBackwards: boolean
}

export interface PageRequest extends Start {
  readonly offset: number
  readonly limit: number
}

export interface PageRows {
  readonly rows: readonly Keys[]
  /** The share of scanned rows that matched; undefined if unknown. */
  readonly density?: number | undefined
  /** The total, if it is known anyway. */
  readonly total?: number | undefined
}

const all = (conditions: readonly Sql[]) => (conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `))
const keysOf = (scan: IndexScan) => sql.join(scan.orderBy.map((key, index) => sql`${key.sql} as ${sql.ref(`k${index}`)}`))
const direction = (scan: IndexScan, isBackwards: boolean) => (scan.descending === isBackwards ? sql`asc` : sql`desc`)
const orderOf = (scan: IndexScan, isBackwards: boolean) =>
  sql.join(scan.orderBy.map((key) => sql`${key.sql} ${direction(scan, isBackwards)}`))
const outerOrder = (scan: IndexScan, isBackwards: boolean) =>
  sql.join(scan.orderBy.map((_, index) => sql`${sql.ref(`x.k${index}`)} ${direction(scan, isBackwards)}`))
const outerKeys = (scan: IndexScan) =>
  sql.join(scan.orderBy.map((_, index) => sql`${sql.ref(`x.k${index}`)}::text as ${sql.ref(`k${index}`)}`))
const outerColumns = (scan: IndexScan) => sql.join(scan.orderBy.map((_, index) => sql.ref(`x.k${index}`)))
const alternatives = (scan: IndexScan) => scan.anyOf ?? [sql`true`]
const anyAlternative = (scan: IndexScan) => (scan.anyOf === undefined ? sql`true` : sql`(${sql.join(scan.anyOf, sql` or `)})`)
const conditionOf = (scan: IndexScan) => scan.where ?? sql`true`
const predicates = (list: PagedList) => all(list.where.map((one) => one.predicate))
const indexed = (list: PagedList) => all(list.where.map((one) => one.indexed ?? one.predicate))

function after(scan: IndexScan, { start, isBackwards }: Start): Sql {
  if (start === undefined) return sql`true`
  const keys = sql.join(scan.orderBy.map((key) => key.sql))
  const values = sql.join(scan.orderBy.map((key, index) => sql`${start[index] ?? ''}::${sql.raw(key.type)}`))
  const sign = scan.descending === isBackwards ? '>' : '<'
  return scan.orderBy.length === 1 ? sql`${keys} ${sql.raw(sign)} ${values}` : sql`(${keys}) ${sql.raw(sign)} (${values})`
}

const BEGINNING: Start = { start: undefined, isBackwards: false }

interface Count {
  readonly count: string
}

type Row = Record<string, string> & { readonly n?: string; readonly total?: string }
const keysIn = (scan: IndexScan, rows: readonly Row[]): Keys[] => rows.map((row) => scan.orderBy.map((_, index) => row[`k${index}`] ?? ''))

/** Rows of a scan: in index order if enough match soon, else found by the conditions' own indexes and sorted. */
export async function readRows(db: Db, list: PagedList, scan: IndexScan, request: PageRequest): Promise<PageRows> {
  if (list.where.length === 0) {
    const { rows } = await scanQuery(list, scan, request).execute(db)
    return { rows: keysIn(scan, rows), density: 1 }
  }
  if (list.isNarrow !== true && list.isExact !== true) {
    const result = await inOrder(db, list, scan, request)
    if (result !== undefined) return result
  }
  const { rows } = await byIndexes(db, list, (trx) => candidatesQuery(list, scan, request).execute(trx))
  const total = rows[0]?.total
  return { rows: keysIn(scan, rows), density: 0, total: total === undefined ? undefined : Number(total) }
}

/** Scans in order; undefined if that does not fill the page. */
async function inOrder(db: Db, list: PagedList, scan: IndexScan, request: PageRequest): Promise<PageRows | undefined> {
  const wanted = request.offset + request.limit
  const max = Math.max(MAX_SCANNED, wanted * MAX_SCANNED_PER_ROW)
  const limits = wanted <= SAMPLE_ROWS ? [SAMPLE_ROWS, max] : [max]
  for (const limit of limits) {
    const whole = { ...request, offset: 0, limit: wanted }
    const { rows } = await scanQuery(list, scan, limit === max ? request : whole, limit).execute(db)
    const full = limit === max ? request.limit : wanted
    // With several ranges, it is unknown how far each was scanned.
    const density = alternatives(scan).length > 1 ? 0 : wanted / Math.max(1, Number(rows.at(-1)?.n))
    if (rows.length >= full) return { rows: keysIn(scan, rows.slice(full - request.limit)), density }
    if (rows.length * (max / limit) < wanted) return undefined
  }
  return undefined
}

/** @param maxScanned rows to scan at most, in index order. */
export function scanQuery(list: PagedList, scan: IndexScan, request: PageRequest, maxScanned = MAX_SCANNED) {
  const wanted = request.offset + request.limit
  const order = orderOf(scan, request.isBackwards)
  const isOne = alternatives(scan).length === 1
  // Each of several ranges starts at its beginning, and a row in several ranges counts once.
  const [skip, max] = isOne ? [request.offset, request.limit] : [0, wanted]
  const range = (one: Sql) => {
    const where = sql`${conditionOf(scan)} and ${one} and ${after(scan, request)}`
    if (list.where.length === 0)
      return sql`(select ${keysOf(scan)}, 0 as n from ${scan.from} where ${where} order by ${order} limit ${max} offset ${skip})`
    return sql`(select * from (
      select w.*, row_number() over () as n from (
        select ${keysOf(scan)}, (${predicates(list)}) as ok from ${scan.from} where ${where} order by ${order}
        limit ${maxScanned}
      ) w) x where x.ok limit ${max} offset ${skip})`
  }
  const ranges = alternatives(scan).map(range)
  const rows = isOne
    ? sql.join(ranges)
    : sql.join(
        ranges.map((one) => sql`select ${outerColumns(scan)}, 0 as n from ${one} x`),
        sql` union `,
      )
  return sql<Row>`select ${outerKeys(scan)}, x.n from (${rows}) x
    order by ${outerOrder(scan, request.isBackwards)} limit ${request.limit} offset ${request.offset - skip}`
}

/** All rows that the conditions' own indexes find, then sorted. */
export function candidatesQuery(list: PagedList, scan: IndexScan, request: PageRequest) {
  const total = request.start === undefined ? sql`, (select count(*) from c) as total` : sql``
  return sql<Row>`with c as materialized (
      select ${keysOf(scan)} from ${scan.unordered ?? scan.from}
      where ${conditionOf(scan)} and ${anyAlternative(scan)} and ${indexed(list)} and ${after(scan, request)}
    ) select ${outerKeys(scan)}${total} from c x order by ${outerOrder(scan, request.isBackwards)} limit ${request.limit} offset ${request.offset}`
}

/** The total number of rows of the scans, up to `max`. @param from where each starts. */
export async function countMatches(
  db: Db,
  list: PagedList,
  scans: readonly IndexScan[],
  max: number,
  density = 0,
  from: Start = BEGINNING,
): Promise<number> {
  let counted = 0
  for (const scan of scans) {
    if (counted >= max) break
    const isDense = isPlain(list, scan) || density >= DENSE
    const count = (on: Db) => countQuery(list, scan, max - counted, isDense, from).execute(on)
    const { rows } = isDense ? await count(db) : await byIndexes(db, list, count)
    counted += Number(rows[0]?.count ?? 0)
  }
  return counted
}

const isPlain = (list: PagedList, scan: IndexScan) => list.where.length === 0 || scan.matchesAll === true

/** @param isDense tests row by row instead of using the conditions' indexes. */
export function countQuery(list: PagedList, scan: IndexScan, max: number, isDense: boolean, from = BEGINNING) {
  const id = scan.orderBy.at(-1)?.sql ?? sql`1`
  const matches = isPlain(list, scan) ? sql`true` : isDense ? predicates(list) : indexed(list)
  const conditions = sql`${matches} and ${after(scan, from)}`
  const ranges = alternatives(scan).map(
    (one) =>
      sql`(select ${id} as id from ${scan.unordered ?? scan.from} where ${conditionOf(scan)} and ${one} and ${conditions} limit ${max})`,
  )
  if (ranges.length === 1) return sql<Count>`select count(*) from ${sql.join(ranges)} x`
  const union = scan.isDisjoint === true ? sql` union all ` : sql` union `
  return sql<Count>`select count(*) from (select 1 from (${sql.join(ranges, union)}) x limit ${max}) y`
}

/** The sort keys of a row, whatever the list's conditions; undefined if it is not in the scan. @param isAnywhere also outside the scan. */
export async function findKeys(db: Db, scan: IndexScan, id: string, isAnywhere: boolean): Promise<Keys | undefined> {
  const last = scan.orderBy.at(-1)
  if (last === undefined) return undefined
  const within = isAnywhere ? sql`true` : sql`${conditionOf(scan)} and ${anyAlternative(scan)}`
  const { rows } = await sql<Row>`select ${outerKeys(scan)} from (
    select ${keysOf(scan)} from ${scan.from} where ${last.sql} = ${id}::${sql.raw(last.type)} and ${within}
  ) x`.execute(db)
  return keysIn(scan, rows)[0]
}

/** Keeps the planner from scanning the whole table if it overestimates a condition. */
function byIndexes<T>(db: Db, list: PagedList, read: (trx: Db) => Promise<T>): Promise<T> {
  if (list.isExact === true) return read(db)
  return db.transaction().execute(async (trx) => {
    await sql`select set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true)`.execute(trx)
    return read(trx)
  })
}
