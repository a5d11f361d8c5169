/** Pages of filtered and sorted lists over tables too large to scan (docs/decisions/0015). */
import { MAX_COUNTED, PER_PAGE, type PageMeta } from '#contract/api/paging.ts'
import { invalid } from '#backend/platform/errors.ts'
import type { Db } from './open.ts'
import { type PageRequest, type PageRows, countMatches, findKeys, readRows } from './paging.queries.ts'
import type { Keys, PagedList, IndexScan } from './paged-list.ts'

export { type Condition, type SortKey, type PagedList, type Sql, type IndexScan, containsText, searchTerm } from './paged-list.ts'

/** The paging parameters of `contract/api/paging.ts`. Each list handles sort and order itself. */
export interface PageQuery {
  readonly page?: number | undefined
  readonly per_page?: number | undefined
  readonly after?: string | undefined
  readonly before?: string | undefined
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
  const { rows, total, density } =
    (await pageNextTo(db, list, query, perPage)) ??
    (await readScans(db, list, list.scans, { start: undefined, offset: (page - 1) * perPage, limit: perPage, isBackwards: false }))
  const counted = total ?? (await countMatches(db, list, list.countScans ?? list.scans, MAX_COUNTED + 1, density))
  const shown = Math.min(counted, MAX_COUNTED)
  const pages = Math.max(1, Math.ceil(shown / perPage))
  return { ids: rows.map((row) => row.at(-1) ?? ''), meta: { page, per_page: perPage, total: shown, pages, capped: counted > MAX_COUNTED } }
}

/** The rows next to the anchor (the row of `after` or `before`); undefined if there is none, or it is deleted or in another scan. */
async function pageNextTo(db: Db, list: PagedList, { after, before, page }: PageQuery, perPage: number): Promise<PageRows | undefined> {
  const id = after ?? before
  if (id === undefined || !list.isId(id)) return undefined
  const isBackwards = after === undefined
  const scans = isBackwards ? list.scans.toReversed() : list.scans
  const [only, ...more] = scans
  const isAnywhere = more.length === 0 && only?.hasVolatileKeys !== true
  for (const [index, scan] of scans.entries()) {
    const keys = await findKeys(db, scan, id, isAnywhere)
    if (keys === undefined) continue
    if (more.length > 0 && page !== undefined) {
      const position = isBackwards ? page * perPage : (page - 1) * perPage - 1
      if (scan !== (await scanAt(db, list, position))) return undefined
    }
    const result = await readScans(db, list, scans.slice(index), { start: keys, offset: 0, limit: perPage, isBackwards })
    return isBackwards ? { ...result, rows: result.rows.toReversed() } : result
  }
  return undefined
}

/** The scan with the row at this position; the last scan if there are fewer rows. */
async function scanAt(db: Db, list: PagedList, position: number): Promise<IndexScan | undefined> {
  let rest = Math.max(0, position)
  for (const scan of list.scans.slice(0, -1)) {
    const count = await countMatches(db, list, [scan], rest + 1)
    if (count > rest) return scan
    rest -= count
  }
  return list.scans.at(-1)
}

async function readScans(
  db: Db,
  list: PagedList,
  scans: readonly IndexScan[],
  { start, offset, limit, isBackwards }: PageRequest,
): Promise<PageRows> {
  const rows: Keys[] = []
  let skip = offset
  let density: number | undefined
  let total: number | undefined
  for (const [index, scan] of scans.entries()) {
    const from = index === 0 ? start : undefined
    const result = await readRows(db, list, scan, { start: from, offset: skip, limit: limit - rows.length, isBackwards })
    rows.push(...result.rows)
    density ??= result.density
    total = list.scans.length === 1 && from === undefined ? result.total : undefined
    if (rows.length >= limit) break
    // The next scan skips fewer rows, as this one skipped some.
    if (skip > 0 && index < scans.length - 1)
      skip = result.rows.length > 0 ? 0 : skip - (await countMatches(db, list, [scan], skip, density, { start: from, isBackwards }))
  }
  return { rows, density, total }
}
