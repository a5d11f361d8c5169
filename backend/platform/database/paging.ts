/** Pages of filtered and sorted lists over tables too large to scan: `new Paginator(deps).page(list, query)` (docs/decisions/0015). */
import { LRUCache } from 'lru-cache'
import { MAX_COUNTED, PER_PAGE, type PageMeta } from '#contract/paging.ts'
import type { Clock } from '#backend/platform/clock.ts'
import { invalid } from '#backend/platform/errors.ts'
import type { Db } from './open.ts'
import { type PageRequest, type PageRows, countMatches, findKeys, hasMoreThan, readRows } from './paging.queries.ts'
import type { Keys, PagedList, IndexScan } from './paged-list.ts'

export {
  type Condition,
  type SortKey,
  type PagedList,
  type Sql,
  type IndexScan,
  containsText,
  listCacheKey,
  searchTerm,
} from './paged-list.ts'

/** The paging parameters of `contract/paging.ts`. Each list handles sort and order itself. */
export interface PageQuery {
  readonly page?: number | undefined
  readonly per_page?: number | undefined
  readonly after?: string | undefined
  readonly before?: string | undefined
}

/** How long to cache that a list exceeds MAX_COUNTED. Exact counts are not cached. */
const CAPPED_TTL_MS = 60_000
const MAX_CACHED = 500

/** One per feature, because it caches by the list's key. */
export class Paginator {
  readonly #db: Db
  /** The lists known to exceed MAX_COUNTED. */
  readonly #capped: LRUCache<string, true>

  constructor({ db, clock }: { readonly db: Db; readonly clock: Clock }) {
    this.#db = db
    this.#capped = new LRUCache({ max: MAX_CACHED, ttl: CAPPED_TTL_MS, ttlResolution: 0, perf: { now: () => clock.uptime() } })
  }

  /**
   * Returns the IDs of the rows; the caller loads their columns. Throws `invalid` if the page starts beyond MAX_COUNTED rows without `after`
   * or `before`.
   */
  async page(list: PagedList, query: PageQuery): Promise<{ ids: string[]; meta: PageMeta }> {
    const perPage = query.per_page ?? PER_PAGE.default
    const page = query.page ?? 1
    if ((page - 1) * perPage >= MAX_COUNTED && query.after === undefined && query.before === undefined)
      throw invalid('PAGE_TOO_FAR', { max: MAX_COUNTED.toLocaleString('en') })
    const [{ rows }, counted] = await this.#read(list, query, page, perPage)
    const total = Math.min(counted, MAX_COUNTED)
    const pages = Math.max(1, Math.ceil(total / perPage))
    return { ids: rows.map((row) => row.at(-1) ?? ''), meta: { page, per_page: perPage, total, pages, capped: counted > MAX_COUNTED } }
  }

  /** The page and the total, in parallel unless reading the page gives the total. */
  async #read(list: PagedList, query: PageQuery, page: number, perPage: number): Promise<[PageRows, number]> {
    const readPage = async () =>
      (await this.#pageNextTo(list, query, perPage)) ??
      this.#readRows(list, list.scans, { start: undefined, offset: (page - 1) * perPage, limit: perPage, isBackwards: false })
    const isQuickToCount =
      list.countScans?.every((scan) => scan.matchesAll) ??
      (list.where.length === 0 && list.scans.every((scan) => (scan.anyOf?.length ?? 1) === 1))
    if (isQuickToCount) return Promise.all([readPage(), this.#total(list, { rows: [] }, false)])
    const result = await readPage()
    // If the page is not full, the list may have shrunk, so don't use the cached cap.
    return [result, await this.#total(list, result, result.rows.length === perPage)]
  }

  /** The rows next to the anchor (the row of `after` or `before`); undefined if there is none, or it is deleted or in another scan. */
  async #pageNextTo(list: PagedList, { after, before, page }: PageQuery, perPage: number): Promise<PageRows | undefined> {
    const id = after ?? before
    if (id === undefined || !list.isId(id)) return undefined
    const isBackwards = after === undefined
    const scans = isBackwards ? list.scans.toReversed() : list.scans
    const [only, ...more] = scans
    const isAnywhere = more.length === 0 && only?.hasVolatileKeys !== true
    for (const [index, scan] of scans.entries()) {
      const keys = await findKeys(this.#db, scan, id, isAnywhere)
      if (keys === undefined) continue
      if (more.length > 0 && page !== undefined) {
        const position = isBackwards ? page * perPage : (page - 1) * perPage - 1
        if (scan !== (await this.#scanAt(list, position))) return undefined
      }
      const result = await this.#readRows(list, scans.slice(index), { start: keys, offset: 0, limit: perPage, isBackwards })
      return isBackwards ? { ...result, rows: result.rows.toReversed() } : result
    }
    return undefined
  }

  /** The scan with the row at this position; the last scan if there are fewer rows. */
  async #scanAt(list: PagedList, position: number): Promise<IndexScan | undefined> {
    let rest = Math.max(0, position)
    for (const scan of list.scans.slice(0, -1)) {
      const count = await countMatches(this.#db, list, [scan], rest + 1)
      if (count > rest) return scan
      rest -= count
    }
    return list.scans.at(-1)
  }

  async #readRows(list: PagedList, scans: readonly IndexScan[], { start, offset, limit, isBackwards }: PageRequest): Promise<PageRows> {
    const rows: Keys[] = []
    let skip = offset
    let density: number | undefined
    let total: number | undefined
    for (const [index, scan] of scans.entries()) {
      const from = index === 0 ? start : undefined
      const result = await readRows(this.#db, list, scan, { start: from, offset: skip, limit: limit - rows.length, isBackwards })
      rows.push(...result.rows)
      density ??= result.density
      total = list.scans.length === 1 && from === undefined ? result.total : undefined
      if (rows.length >= limit) break
      // The next scan skips fewer rows, as this one skipped some.
      if (skip > 0 && index < scans.length - 1)
        skip = result.rows.length > 0 ? 0 : skip - (await countMatches(this.#db, list, [scan], skip, density, { start: from, isBackwards }))
    }
    return { rows, density, total }
  }

  /** The number of rows; MAX_COUNTED + 1 if there are more than MAX_COUNTED. */
  async #total(list: PagedList, { total, density }: PageRows, mayUseCache: boolean): Promise<number> {
    if (total !== undefined) return total
    const { cacheKey: name } = list
    const wasCapped = this.#capped.has(name)
    if (wasCapped && (mayUseCache || list.isAppendOnly === true)) return MAX_COUNTED + 1
    if (wasCapped && (await hasMoreThan(this.#db, list, MAX_COUNTED))) return MAX_COUNTED + 1
    const counted = await countMatches(this.#db, list, list.countScans ?? list.scans, MAX_COUNTED + 1, density)
    this.#capped.delete(name)
    // A ttl of 0 never expires.
    if (counted > MAX_COUNTED) this.#capped.set(name, true, list.isAppendOnly === true ? { ttl: 0 } : {})
    return counted
  }
}
