/**
 * Lists with filters, orders and pages over tables that are too large to be read for each of them. What a list is: one or more walks along
 * indexes (`Walk`), and conditions. How to use it:
 *
 *   const lists = new Lists(deps)
 *   const { ids, meta } = await lists.page({ name: nameOfList('issues', query), walks: [{ from: sql`issues i`, by: [{ sql: sql`i.last_seen_at`, type: 'timestamptz' },
 *     { sql: sql`i.id`, type: 'uuid' }], descending: true }], where: [{ test: sql`i.kind = any(...)` }], isId: isUuid }, query)
 *
 * `ids` are the last keys of the page's rows, in order; read the wide columns by them. See docs/decisions/0019.
 */
import { MOST_COUNTED, PER_PAGE, type PageMeta } from '#contract/paging.ts'
import type { Clock } from '#backend/platform/clock.ts'
import { invalid } from '#backend/platform/errors.ts'
import type { Db } from './open.ts'
import { countMatches, findKeys, hasMoreThan, takeFrom } from './paging.queries.ts'
import type { Keys, List, Walk } from './paging-walk.ts'

export { type Condition, type Key, type List, type Sql, type Walk, matching, nameOfList, searchTerm } from './paging-walk.ts'

/** What a list is asked for, as `contract/paging.ts` parses it; sort and order are the list's own to read. */
export interface PageQuery {
  readonly page?: number | undefined
  readonly per_page?: number | undefined
  readonly after?: string | undefined
  readonly before?: string | undefined
}

export interface Page {
  /** The last key of each row, in the list's order. */
  readonly ids: readonly string[]
  readonly meta: PageMeta
}

/** How long it is remembered that a list has more rows than are counted. What was counted exactly is never remembered. */
const CAPPED_FOR_MS = 60_000
const MOST_REMEMBERED = 500

interface Taken {
  readonly rows: readonly Keys[]
  /** How many of the rows that were looked at are in the list; undefined where nobody looked. */
  readonly density?: number | undefined
  /** All there are, where that came by the way. */
  readonly total?: number | undefined
}

/** Answers pages. One for each slice: what it remembers is by the list's name. */
export class Lists {
  readonly #db: Db
  readonly #clock: Clock
  /** Until when a list is known to have more rows than are counted. */
  readonly #capped = new Map<string, number>()

  constructor({ db, clock }: { readonly db: Db; readonly clock: Clock }) {
    this.#db = db
    this.#clock = clock
  }

  /** Throws `invalid` for a page by number alone whose rows are past those that are counted. */
  async page(list: List, query: PageQuery): Promise<Page> {
    const perPage = query.per_page ?? PER_PAGE.usual
    const page = query.page ?? 1
    if ((page - 1) * perPage >= MOST_COUNTED && query.after === undefined && query.before === undefined)
      throw invalid(
        `Page numbers end at row ${MOST_COUNTED.toLocaleString('en')}. Ask for later rows with after, the id of the last row you have.`,
      )
    const [taken, total] = await this.#read(list, query, page, perPage)
    const counted = Math.min(total, MOST_COUNTED)
    return {
      ids: taken.rows.map((row) => row.at(-1) ?? ''),
      meta: {
        page,
        per_page: perPage,
        total: counted,
        pages: Math.max(1, Math.ceil(counted / perPage)),
        capped: total > MOST_COUNTED,
      },
    }
  }

  /** The page and how many there are, at once where one does not help the other. */
  async #read(list: List, query: PageQuery, page: number, perPage: number): Promise<[Taken, number]> {
    const taking = async () =>
      (await this.#beside(list, query, perPage)) ?? this.#take(list, list.walks, undefined, (page - 1) * perPage, perPage)
    // What indexes alone count is counted each time, and needs not wait for what the page comes by.
    const isSoonCounted =
      list.counted?.every((walk) => walk.isWhole) ?? (list.where.length === 0 && list.walks.every((walk) => (walk.any?.length ?? 1) === 1))
    if (isSoonCounted) return Promise.all([taking(), this.#total(list, { rows: [] }, false)])
    const taken = await taking()
    // A page that is not full may say that the list has shrunk.
    return [taken, await this.#total(list, taken, taken.rows.length === perPage)]
  }

  /** The rows beside a known one; undefined where none is named, it is gone, or it moved to another part of the list. */
  async #beside(list: List, { after, before, page }: PageQuery, perPage: number): Promise<Taken | undefined> {
    const id = after ?? before
    if (id === undefined || !list.isId(id)) return undefined
    const isBackwards = after === undefined
    const walks = isBackwards ? list.walks.toReversed() : list.walks
    const [only, ...more] = walks
    const isAnywhere = more.length === 0 && only?.isMoving !== true
    for (const [index, walk] of walks.entries()) {
      const keys = await findKeys(this.#db, walk, id, isAnywhere)
      if (keys === undefined) continue
      if (more.length > 0 && page !== undefined) {
        const place = isBackwards ? page * perPage : (page - 1) * perPage - 1
        if (walk !== (await this.#walkAt(list, place))) return undefined
      }
      const taken = await this.#take(list, walks.slice(index), keys, 0, perPage, isBackwards)
      return isBackwards ? { ...taken, rows: taken.rows.toReversed() } : taken
    }
    return undefined
  }

  /** Which walk has the row with so many before it; the last one where there are not so many. */
  async #walkAt(list: List, place: number): Promise<Walk | undefined> {
    let rest = Math.max(0, place)
    for (const walk of list.walks.slice(0, -1)) {
      const count = await countMatches(this.#db, list, [walk], rest + 1)
      if (count > rest) return walk
      rest -= count
    }
    return list.walks.at(-1)
  }

  /** So many rows from the walks one after the other. */
  async #take(
    list: List,
    walks: readonly Walk[],
    start: Keys | undefined,
    offset: number,
    limit: number,
    isBackwards = false,
  ): Promise<Taken> {
    const rows: Keys[] = []
    let skip = offset
    let density: number | undefined
    let total: number | undefined
    for (const [index, walk] of walks.entries()) {
      const from = index === 0 ? start : undefined
      const taken = await takeFrom(this.#db, list, walk, { start: from, offset: skip, limit: limit - rows.length, isBackwards })
      rows.push(...taken.rows)
      density ??= taken.density
      total = list.walks.length === 1 && from === undefined ? taken.total : undefined
      if (rows.length >= limit) break
      // What was passed over here counts for the next one.
      if (skip > 0 && index < walks.length - 1)
        skip =
          taken.rows.length > 0
            ? 0
            : skip - (await countMatches(this.#db, list, [walk], skip, { density, from: { start: from, isBackwards } }))
    }
    return { rows, density, total }
  }

  /** How many rows there are; anything above MOST_COUNTED where there are more. */
  async #total(list: List, { total, density }: Taken, mayBeRemembered: boolean): Promise<number> {
    if (total !== undefined) return total
    const { name } = list
    const now = this.#clock.uptime()
    const wasCapped = (this.#capped.get(name) ?? 0) > now
    if (wasCapped && (mayBeRemembered || list.onlyGrows === true)) return MOST_COUNTED + 1
    if (wasCapped && (await hasMoreThan(this.#db, list, MOST_COUNTED))) return MOST_COUNTED + 1
    const counted = await countMatches(this.#db, list, list.counted ?? list.walks, MOST_COUNTED + 1, { density })
    this.#capped.delete(name)
    if (counted > MOST_COUNTED) this.#capped.set(name, list.onlyGrows === true ? Infinity : now + CAPPED_FOR_MS)
    for (const oldest of this.#capped.keys()) if (this.#capped.size > MOST_REMEMBERED) this.#capped.delete(oldest)
    return counted
  }
}
