/** The state of a paged list in the URL. */

export const PAGE_SIZES = [25, 50, 100] as const
export type PageSize = (typeof PAGE_SIZES)[number]
export type Order = 'asc' | 'desc'
const DEFAULT_PAGE_SIZE: PageSize = 50
const MAX_PAGE = 1_000_000
const MAX_SEARCH_LENGTH = 100
const ROW_ID = /^[0-9A-Za-z-]{1,40}$/

export interface Filter<V extends string = string, M extends boolean = boolean> {
  readonly multiple: M
  readonly max: number
  readonly accepts: (value: string) => value is V
}
export type Filters = Readonly<Record<string, Filter>>

export function anyOf<const V extends string>(values: readonly V[]): Filter<V, true> {
  return { multiple: true, max: values.length, accepts: (value): value is V => (values as readonly string[]).includes(value) }
}

export function oneOf<const V extends string>(values: readonly V[]): Filter<V, false> {
  return { multiple: false, max: 1, accepts: (value): value is V => (values as readonly string[]).includes(value) }
}

export function matching(pattern: RegExp): Filter<string, false> {
  return { multiple: false, max: 1, accepts: (value): value is string => pattern.test(value) }
}

export function anyMatching(pattern: RegExp, max = 20): Filter<string, true> {
  return { multiple: true, max, accepts: (value): value is string => pattern.test(value) }
}

export const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

type FilterState<F extends Filters> = {
  readonly [K in keyof F]: F[K] extends Filter<infer V, true> ? readonly V[] : F[K] extends Filter<infer V> ? V | undefined : never
}

interface BaseState<S extends string> {
  readonly page: number
  readonly per_page: PageSize
  readonly search: string
  readonly sort: S
  readonly order: Order
  /** The last row of the previous page, or the first row of the next one. Keeps the page stable while rows change. */
  readonly after: string | undefined
  readonly before: string | undefined
  /** The ID of the open row. */
  readonly open: string | undefined
}

export type ListState<S extends string, F extends Filters> = BaseState<S> & FilterState<F>
/** Defaults are undefined, so the URL omits them. */
type ListSearch<S extends string, F extends Filters> = {
  readonly [K in keyof ListState<S, F>]?: ListState<S, F>[K] | undefined
}

interface ListSpec<S extends string, F extends Filters> {
  /** The sortable columns with their initial order. The first is the default. */
  readonly sorts: Readonly<Record<S, Order>>
  readonly filters: F
}

function stringOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

function rowId(value: unknown): string | undefined {
  const id = stringOf(value)
  return id !== undefined && ROW_ID.test(id) ? id : undefined
}

function positiveInteger(value: unknown, max: number): number | undefined {
  const number = /^\d{1,7}$/.test(stringOf(value) ?? '') ? Number(value) : 0
  return number >= 1 && number <= max ? number : undefined
}

function filterValue(filter: Filter, value: unknown): unknown {
  const values = (Array.isArray(value) ? value : [value]).map(stringOf).filter((text) => text !== undefined && filter.accepts(text))
  return filter.multiple ? [...new Set(values)].slice(0, filter.max) : values[0]
}

export type List<S extends string, F extends Filters> = ReturnType<typeof defineList<S, F>>

export function defineList<const S extends string, const F extends Filters>({ sorts, filters }: ListSpec<S, F>) {
  const sortNames = Object.keys(sorts) as [S, ...S[]]
  /** Replaces invalid values with defaults. */
  const read = (search: Readonly<Record<string, unknown>>): ListState<S, F> => {
    const sort = sortNames.find((name) => name === search['sort']) ?? sortNames[0]
    const order = search['order']
    const page = positiveInteger(search['page'], MAX_PAGE) ?? 1
    const after = page > 1 ? rowId(search['after']) : undefined
    const base: BaseState<S> = {
      page,
      per_page: PAGE_SIZES.find((size) => size === positiveInteger(search['per_page'], 100)) ?? DEFAULT_PAGE_SIZE,
      search: (stringOf(search['search']) ?? '').slice(0, MAX_SEARCH_LENGTH),
      sort,
      order: order === 'asc' || order === 'desc' ? order : sorts[sort],
      after,
      before: page > 1 && after === undefined ? rowId(search['before']) : undefined,
      open: rowId(search['open']),
    }
    const values = Object.entries(filters).map(([name, filter]) => [name, filterValue(filter, search[name])])
    return { ...base, ...(Object.fromEntries(values) as FilterState<F>) }
  }
  const write = (state: ListState<S, F>): ListSearch<S, F> => {
    const { page, per_page, search, sort, order } = state
    const nonDefault: ListSearch<S, Record<never, never>> = {
      page: page === 1 ? undefined : page,
      per_page: per_page === DEFAULT_PAGE_SIZE ? undefined : per_page,
      search: search === '' ? undefined : search,
      sort: sort === sortNames[0] ? undefined : sort,
      order: order === sorts[sort] ? undefined : order,
    }
    const values = Object.keys(filters).map((name) => {
      const value: unknown = state[name]
      return [name, Array.isArray(value) && value.length === 0 ? undefined : value]
    })
    return { ...state, ...nonDefault, ...(Object.fromEntries(values) as FilterState<F>) }
  }
  /** Equal for states that match the same rows. */
  const filterKey = (state: ListState<S, F>): string =>
    JSON.stringify([state.search.trim(), ...Object.keys(filters).map((name): unknown => state[name])])
  return { sorts, filters, read, write, filterKey }
}

type QueryState = Pick<BaseState<string>, 'page' | 'per_page' | 'search' | 'open'>

export function queryOf<T extends QueryState>(
  state: T,
): Omit<T, keyof QueryState> & { page: string; per_page: string; search: string | undefined } {
  const { open: _open, page, per_page: size, search, ...rest } = state
  return { ...rest, page: String(page), per_page: String(size), search: search.trim() === '' ? undefined : search.trim() }
}
