/** Pages of lists with filters and orders over tables that are too large to scan: `new Lists(deps).page(list, query)`. See docs/decisions/0019. */
import { LRUCache } from 'lru-cache'
import { MAX_COUNTED, PER_PAGE, type PageMeta } from '#contract/paging.ts'
import type { Clock } from '#backend/platform/clock.ts'
import { invalid } from '#backend/platform/errors.ts'
import type { Db } from './open.ts'
import { type PageRequest, type PageRows, countMatches, findKeys, hasMoreThan, takeFrom } from './paging.queries.ts'
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

/** What a list is asked for, as `contract/paging.ts` parses it; sort and order are the list's own to read. */
export interface PageQuery {
  readonly page?: number | undefined
  readonly per_page?: number | undefined
  readonly after?: string | undefined
  readonly before?: string | undefined
}

/** How long it is remembered that a list has more rows than are counted. An exact count is never remembered. */
const CAPPED_FOR_MS = 60_000
const MAX_REMEMBERED = 500

/** One for each feature: it remembers by the list's name. */
export class Paginator {
  readonly #db: Db
  /** The lists that are known to have more rows than are counted. */
  readonly #capped: LRUCache<string, true>

  constructor({ db, clock }: { readonly db: Db; readonly clock: Clock }) {
    this.#db = db
    this.#capped = new LRUCache({ max: MAX_REMEMBERED, ttl: CAPPED_FOR_MS, ttlResolution: 0, perf: { now: () => clock.uptime() } })
  }

  /** Returns the last key of each row, by which the wide columns are read. Throws `invalid` for a page by number alone past the counted rows. */
  async page(list: PagedList, query: PageQuery): Promise<{ ids: string[]; meta: PageMeta }> {
    const perPage = query.per_page ?? PER_PAGE.default
    const page = query.page ?? 1
    if ((page - 1) * perPage >= MAX_COUNTED && query.after === undefined && query.before === undefined)
      throw invalid(
        `Page numbers end at row ${MAX_COUNTED.toLocaleString('en')}. Ask for later rows with after, the id of the last row you have.`,
      )
    const [{ rows }, counted] = await this.#read(list, query, page, perPage)
    const total = Math.min(counted, MAX_COUNTED)
    const pages = Math.max(1, Math.ceil(total / perPage))
    return { ids: rows.map((row) => row.at(-1) ?? ''), meta: { page, per_page: perPage, total, pages, capped: counted > MAX_COUNTED } }
  }

  /** The page and the total, at once where one does not help the other. */
  async #read(list: PagedList, query: PageQuery, page: number, perPage: number): Promise<[PageRows, number]> {
    const taking = async () =>
      (await this.#beside(list, query, perPage)) ??
      this.#take(list, list.scans, { start: undefined, offset: (page - 1) * perPage, limit: perPage, isBackwards: false })
    const isSoonCounted =
      list.countScans?.every((walk) => walk.matchesAll) ??
      (list.where.length === 0 && list.scans.every((walk) => (walk.anyOf?.length ?? 1) === 1))
    if (isSoonCounted) return Promise.all([taking(), this.#total(list, { rows: [] }, false)])
    const taken = await taking()
    // The list may have shrunk where the page is not full.
    return [taken, await this.#total(list, taken, taken.rows.length === perPage)]
  }

  /** The rows beside a known one; undefined where none is named, it is gone, or it moved to another part of the list. */
  async #beside(list: PagedList, { after, before, page }: PageQuery, perPage: number): Promise<PageRows | undefined> {
    const id = after ?? before
    if (id === undefined || !list.isId(id)) return undefined
    const isBackwards = after === undefined
    const walks = isBackwards ? list.scans.toReversed() : list.scans
    const [only, ...more] = walks
    const isAnywhere = more.length === 0 && only?.hasVolatileKeys !== true
    for (const [index, walk] of walks.entries()) {
      const keys = await findKeys(this.#db, walk, id, isAnywhere)
      if (keys === undefined) continue
      if (more.length > 0 && page !== undefined) {
        const place = isBackwards ? page * perPage : (page - 1) * perPage - 1
        if (walk !== (await this.#walkAt(list, place))) return undefined
      }
      const taken = await this.#take(list, walks.slice(index), { start: keys, offset: 0, limit: perPage, isBackwards })
      return isBackwards ? { ...taken, rows: taken.rows.toReversed() } : taken
    }
    return undefined
  }

  /** The walk with the row of this index; the last one where there are fewer rows. */
  async #walkAt(list: PagedList, place: number): Promise<IndexScan | undefined> {
    let rest = Math.max(0, place)
    for (const walk of list.scans.slice(0, -1)) {
      const count = await countMatches(this.#db, list, [walk], rest + 1)
      if (count > rest) return walk
      rest -= count
    }
    return list.scans.at(-1)
  }

  async #take(list: PagedList, walks: readonly IndexScan[], { start, offset, limit, isBackwards }: PageRequest): Promise<PageRows> {
    const rows: Keys[] = []
    let skip = offset
    let density: number | undefined
    let total: number | undefined
    for (const [index, walk] of walks.entries()) {
      const from = index === 0 ? start : undefined
      const taken = await takeFrom(this.#db, list, walk, { start: from, offset: skip, limit: limit - rows.length, isBackwards })
      rows.push(...taken.rows)
      density ??= taken.density
      total = list.scans.length === 1 && from === undefined ? taken.total : undefined
      if (rows.length >= limit) break
      // Rows that were skipped here needn't be skipped in the next one.
      if (skip > 0 && index < walks.length - 1)
        skip = taken.rows.length > 0 ? 0 : skip - (await countMatches(this.#db, list, [walk], skip, density, { start: from, isBackwards }))
    }
    return { rows, density, total }
  }

  /** How many rows there are; anything above MAX_COUNTED where there are more. */
  async #total(list: PagedList, { total, density }: PageRows, mayBeRemembered: boolean): Promise<number> {
    if (total !== undefined) return total
    const { cacheKey: name } = list
    const wasCapped = this.#capped.has(name)
    if (wasCapped && (mayBeRemembered || list.isAppendOnly === true)) return MAX_COUNTED + 1
    if (wasCapped && (await hasMoreThan(this.#db, list, MAX_COUNTED))) return MAX_COUNTED + 1
    const counted = await countMatches(this.#db, list, list.countScans ?? list.scans, MAX_COUNTED + 1, density)
    this.#capped.delete(name)
    // A ttl of 0 is for ever.
    if (counted > MAX_COUNTED) this.#capped.set(name, true, list.isAppendOnly === true ? { ttl: 0 } : {})
    return counted
  }
}
