/** The state of a paged list in the URL. */

export const PAGE_SIZES = [25, 50, 100] as const
type PageSize = (typeof PAGE_SIZES)[number]
export type Order = 'asc' | 'desc'
const DEFAULT_PAGE_SIZE: PageSize = 50
const MAX_PAGE = 1_000_000
const MAX_SEARCH_LENGTH = 100
const ROW_ID = /^[0-9A-Za-z-]{1,40}$/

export interface Filter<V extends string = string, M extends boolean = boolean> {
  readonly multiple: M
  readonly max: number
  readonly accepts: (text: string) => boolean
  /** All of them, if they are known. */
  readonly values: readonly V[]
  /** If the URL has none. To choose none at all means all `values` then. */
  readonly initial: readonly V[]
}
export type Filters = Readonly<Record<string, Filter>>

function known<V extends string, M extends boolean>(multiple: M, values: readonly V[], initial: readonly V[] = []): Filter<V, M> {
  return { multiple, max: values.length, accepts: (text) => (values as readonly string[]).includes(text), values, initial }
}

function pattern<M extends boolean>(multiple: M, format: RegExp, max: number): Filter<string, M> {
  return { multiple, max, accepts: (text) => format.test(text), values: [], initial: [] }
}

export const anyOf = <const V extends string>(values: readonly V[], initial?: readonly V[]) => known(true, values, initial)
export const oneOf = <const V extends string>(values: readonly V[]) => known(false, values)
export const matching = (format: RegExp) => pattern(false, format, 1)
export const anyMatching = (format: RegExp, max = 20) => pattern(true, format, max)

export const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

type FilterState<F extends Filters> = {
  readonly [K in keyof F]: F[K] extends Filter<infer V, true> ? readonly V[] : F[K] extends Filter<infer V> ? V | undefined : never
}

export interface BaseState<S extends string = string> {
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

type ListState<S extends string, F extends Filters> = BaseState<S> & FilterState<F>

interface ListSpec<S extends string, F extends Filters> {
  /** The sortable columns with their initial order. The first is the default. */
  readonly sorts: Readonly<Record<S, Order>>
  readonly filters: F
  /** In the URL. */
  readonly searchName?: string
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

function readFilter(filter: Filter, value: unknown): unknown {
  const values = (Array.isArray(value) ? value : [value]).map(stringOf).filter((text) => text !== undefined && filter.accepts(text))
  if (!filter.multiple) return values[0]
  return values.length === 0 ? filter.initial : [...new Set(values)].slice(0, filter.max)
}

/** Undefined for the initial values. */
function writeFilter({ initial, values }: Filter, value: unknown): unknown {
  if (!Array.isArray(value)) return value
  const chosen: readonly string[] = value.length === 0 && initial.length > 0 ? values : value
  return chosen.length === initial.length && initial.every((each) => chosen.includes(each)) ? undefined : chosen
}

export type List<S extends string, F extends Filters> = ReturnType<typeof defineList<S, F>>

export function defineList<const S extends string, const F extends Filters>({ sorts, filters, searchName = 'search' }: ListSpec<S, F>) {
  const sortNames = Object.keys(sorts) as [S, ...S[]]
  /** Replaces invalid values with defaults. */
  const read = (search: Readonly<Record<string, unknown>>): ListState<S, F> => {
    const text = stringOf(search['sort']) ?? ''
    const chosen = sortNames.find((name) => name === text.replace(/^-/, ''))
    const sort = chosen ?? sortNames[0]
    const page = positiveInteger(search['page'], MAX_PAGE) ?? 1
    const after = page > 1 ? rowId(search['after']) : undefined
    const base: BaseState<S> = {
      page,
      per_page: PAGE_SIZES.find((size) => size === positiveInteger(search['per_page'], 100)) ?? DEFAULT_PAGE_SIZE,
      search: (stringOf(search[searchName]) ?? '').slice(0, MAX_SEARCH_LENGTH),
      sort,
      order: chosen === undefined ? sorts[sort] : text.startsWith('-') ? 'desc' : 'asc',
      after,
      before: page > 1 && after === undefined ? rowId(search['before']) : undefined,
      open: rowId(search['open']),
    }
    const values = Object.entries(filters).map(([name, filter]) => [name, readFilter(filter, search[name])])
    return { ...base, ...(Object.fromEntries(values) as FilterState<F>) }
  }
  /** Defaults are undefined, so the URL omits them. A minus sign means a descending order. */
  const write = (state: ListState<S, F>): Readonly<Record<string, unknown>> => {
    const { page, per_page, search, sort, order, after, before, open } = state
    const isDefaultSort = sort === sortNames[0] && order === sorts[sort]
    return {
      page: page === 1 ? undefined : page,
      per_page: per_page === DEFAULT_PAGE_SIZE ? undefined : per_page,
      [searchName]: search === '' ? undefined : search,
      sort: isDefaultSort ? undefined : `${order === 'desc' ? '-' : ''}${sort}`,
      ...Object.fromEntries(Object.entries(filters).map(([name, filter]) => [name, writeFilter(filter, state[name])])),
      after,
      before,
      open,
    }
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
