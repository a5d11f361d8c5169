/** Pages of filtered and sorted lists for administrators (docs/decisions/0015). */
import { type RawBuilder, sql } from 'kysely'
import { MAX_COUNTED, PER_PAGE, type PageMeta } from '#contract/api/paging.ts'
import { invalid } from '#backend/platform/errors.ts'
import type { Db } from './open.ts'

export type Sql = RawBuilder<unknown>

/** Never null. */
export interface SortKey {
  readonly sql: Sql
  readonly type: 'text' | 'uuid' | 'timestamptz' | 'integer' | 'bigint'
}

export interface PagedList {
  /** The table and its joins. */
  readonly from: Sql
  /** A row matches if all of these do. */
  readonly where: readonly Sql[]
  /** The last key is a unique id. */
  readonly orderBy: readonly [SortKey, ...SortKey[]]
  readonly descending: boolean
  /** The keys change often, so a row may be far from where the reader saw it. */
  readonly hasVolatileKeys?: boolean
  isId(text: string): boolean
}

/** The paging parameters of `contract/api/paging.ts`. Each list handles sort and order itself. */
export interface PageQuery {
  readonly page?: number | undefined
  readonly per_page?: number | undefined
  readonly after?: string | undefined
  readonly before?: string | undefined
}

/** The row next to which a page starts. */
interface Anchor {
  /** Its sort keys as texts, in the database's full precision. */
  readonly keys: readonly string[]
  readonly isBackwards: boolean
}

/**
 * Returns the IDs of the rows; the caller loads their columns. Throws `invalid` if the page starts beyond MAX_COUNTED rows without `after`
 * or `before`.
 */
export async function readPage(db: Db, list: PagedList, query: PageQuery): Promise<{ ids: string[]; meta: PageMeta }> {
  const perPage = query.per_page ?? PER_PAGE.default
  const page = query.page ?? 1
  if ((page - 1) * perPage >= MAX_COUNTED && query.after === undefined && query.before === undefined)
    throw invalid('PAGE_TOO_FAR', { max: MAX_COUNTED.toLocaleString('en') })
  const anchor = await findAnchor(db, list, query, perPage)
  const ids = await readIds(db, list, perPage, anchor === undefined ? (page - 1) * perPage : 0, anchor)
  const counted = await countMatches(db, list, MAX_COUNTED + 1)
  const total = Math.min(counted, MAX_COUNTED)
  const pages = Math.max(1, Math.ceil(total / perPage))
  return { ids, meta: { page, per_page: perPage, total, pages, capped: counted > MAX_COUNTED } }
}

/** The rows in the order of the IDs. Leaves out those that no longer exist. */
export function inOrder<Row>(ids: readonly string[], rows: readonly Row[], idOf: (row: Row) => string): Row[] {
  const byId = new Map(rows.map((row) => [idOf(row), row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** Undefined without `after` and `before`, and if that row is deleted or has moved by more than a page. */
async function findAnchor(db: Db, list: PagedList, { after, before, page }: PageQuery, perPage: number): Promise<Anchor | undefined> {
  const id = after ?? before
  if (id === undefined || !list.isId(id)) return undefined
  const keys = await findKeys(db, list, id)
  if (keys === undefined) return undefined
  const anchor = { keys, isBackwards: after === undefined }
  if (list.hasVolatileKeys !== true || page === undefined) return anchor
  const expected = (anchor.isBackwards ? page : page - 1) * perPage
  const moved = Math.abs((await countMatches(db, list, expected + 2 * perPage, { keys, isBackwards: true })) - expected)
  return moved > perPage ? undefined : anchor
}

/** The sort keys of a row, whether or not it still matches the list's conditions. */
async function findKeys(db: Db, { from, orderBy }: PagedList, id: string): Promise<readonly string[] | undefined> {
  const last = orderBy.at(-1) ?? orderBy[0]
  const texts = sql.join(orderBy.map((key) => sql`${key.sql}::text`))
  const { rows } = await sql<{ keys: string[] }>`
    select array[${texts}] as keys from ${from} where ${last.sql} = ${id}::${sql.raw(last.type)}`.execute(db)
  return rows[0]?.keys
}

async function readIds(db: Db, list: PagedList, limit: number, offset: number, anchor: Anchor | undefined): Promise<string[]> {
  const isAscending = list.descending === (anchor?.isBackwards === true)
  const order = sql.join(list.orderBy.map((key) => sql`${key.sql} ${isAscending ? sql`asc` : sql`desc`}`))
  const id = (list.orderBy.at(-1) ?? list.orderBy[0]).sql
  const { rows } = await sql<{ id: string }>`
    select ${id}::text as id from ${list.from} where ${conditionOf(list, anchor)}
    order by ${order} limit ${limit} offset ${offset}`.execute(db)
  const ids = rows.map((row) => row.id)
  return anchor?.isBackwards === true ? ids.toReversed() : ids
}

/** How many rows match, up to `max`. */
async function countMatches(db: Db, list: PagedList, max: number, anchor?: Anchor): Promise<number> {
  const { rows } = await sql<{ count: string }>`
    select count(*) from (select 1 from ${list.from} where ${conditionOf(list, anchor)} limit ${max}) matches`.execute(db)
  return Number(rows[0]?.count)
}

function conditionOf({ where, orderBy, descending }: PagedList, anchor: Anchor | undefined): Sql {
  if (anchor === undefined) return sql.join([sql`true`, ...where], sql` and `)
  const keys = sql.join(orderBy.map((key) => key.sql))
  const values = sql.join(orderBy.map((key, index) => sql`${anchor.keys[index] ?? ''}::${sql.raw(key.type)}`))
  const beyond = sql`(${keys}) ${sql.raw(descending === anchor.isBackwards ? '>' : '<')} (${values})`
  return sql.join([beyond, ...where], sql` and `)
}

/** The normalized search term, if any. Throws `invalid` for a text that the database can't store. */
export function searchTerm(search: string | undefined): string | undefined {
  if (search === undefined || search === '') return undefined
  if (/\p{Cc}/u.test(search) || !search.isWellFormed()) throw invalid('SEARCH_NOT_TEXT')
  return search.normalize('NFC')
}

/** Whether the lower-case column contains the term. */
export function containsText(column: Sql, term: string): Sql {
  const pattern = `%${term.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  return sql`${column} like lower(${pattern}::text)`
}
