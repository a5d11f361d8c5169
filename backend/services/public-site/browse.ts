/** The servers of `/browse`: filters with their counts, sorting and paging over the list's rows in memory. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import {
  type BrowseFilters,
  type BrowseQuery,
  type BrowseSort,
  type BrowseView,
  CHOICE_FILTERS,
  type ChoiceFilter,
  type FilterValue,
  ROWS_PER_PAGE,
  SWITCH_FILTERS,
  type SwitchFilter,
} from '#contract/public-site/public-site.ts'
import { searchKey } from '#contract/text/search-key.ts'
import { foldListing, foldValue, searchFor } from '#backend/masterlist/lists/search.ts'
import { gameModeOf, isConfirmed } from '#backend/masterlist/registry/listed-row.ts'
import { type PublicSources, type ShownServer, rowView } from './public-views.ts'

/** A few milliseconds: the first search after a start folds every listing. */
const ROWS_PER_SLICE = 200
/** Values of a filter that the page offers. */
const MAX_VALUES = 30

type FilterName = ChoiceFilter | SwitchFilter | 'group' | 'q'

interface Filter {
  readonly name: FilterName
  matches(server: ShownServer): boolean
}

/** @param servers in the order of the list. @param isPublic whether it has not been hidden or banned since */
export async function browse(
  query: BrowseQuery,
  servers: readonly ShownServer[],
  isPublic: (server: ShownServer) => boolean,
  totals: { readonly servers: number; readonly players: number },
  sources: PublicSources,
): Promise<BrowseView> {
  const filters = filtersOf(query)
  const counts = new FilterCounts()
  const found: ShownServer[] = []
  for (const [index, server] of servers.entries()) {
    if (index % ROWS_PER_SLICE === ROWS_PER_SLICE - 1) await yieldToEventLoop()
    if (!isPublic(server)) continue
    const failed = failedOf(filters, server)
    if (failed.length === 0) found.push(server)
    // The count of a value ignores the filter's own choice, so that another value shows what it would find.
    if (failed.length <= 1) counts.add(server, failed[0]?.name)
  }
  const sorted = sort(found, query.sort, sources)
  const pages = Math.max(1, Math.ceil(found.length / ROWS_PER_PAGE))
  // A page after the last one shows the last one: the list may have become shorter.
  const page = Math.min(query.page, pages)
  const shown = sorted.slice((page - 1) * ROWS_PER_PAGE, page * ROWS_PER_PAGE)
  await sources.weeks.load(shown.map(({ fields }) => fields.publicId))
  return {
    ...totals,
    query: { ...query, page },
    found: found.length,
    groupName: query.group && nameOfGroup(query.group, servers, isPublic),
    pages,
    rows: shown.map((server) => rowView(server, sources)),
    filters: counts.filters(query),
  }
}

/** The filters that a server does not match, at most two: then it counts nowhere. */
function failedOf(filters: readonly Filter[], server: ShownServer): Filter[] {
  const failed: Filter[] = []
  for (const filter of filters) {
    if (filter.matches(server)) continue
    failed.push(filter)
    if (failed.length === 2) break
  }
  return failed
}

/** The values of a server that a filter compares. */
const VALUES: Readonly<Record<ChoiceFilter, (server: ShownServer) => readonly string[]>> = {
  language: ({ fields }) => [fields.language],
  region: ({ fields }) => [fields.region],
  tag: ({ fields }) => fields.tags,
  game_mode: (server) => [gameModeOf(server)],
  version: ({ announced }) => [announced.version],
}

const SWITCHES: Readonly<Record<SwitchFilter, (server: ShownServer) => boolean>> = {
  has_slots: ({ online, announced }) => online && announced.playersCount < announced.maxPlayersCount,
  no_password: ({ announced }) => !announced.passworded,
  verified: ({ fields }) => fields.verified,
}

const chosenValues = (query: BrowseQuery, name: ChoiceFilter): readonly string[] => [query[name] ?? []].flat()

function filtersOf(query: BrowseQuery): Filter[] {
  const { q = '', group } = query
  const searched = searchKey(q)
  return [
    ...CHOICE_FILTERS.flatMap((name) => chosenValues(query, name).map((value) => equals(name, value))),
    ...(group === undefined ? [] : [{ name: 'group', matches: hasGroup(group) } as const]),
    ...SWITCH_FILTERS.filter((name) => query[name]).map((name) => ({ name, matches: SWITCHES[name] })),
    // Last, because it costs most.
    ...(searched === '' ? [] : [{ name: 'q', matches: searchFor(searched) } as const]),
  ]
}

function equals(name: ChoiceFilter, value: string): Filter {
  const folded = searchKey(value)
  return { name, matches: (server) => VALUES[name](server).some((own) => own === value || foldValue(own).text === folded) }
}

const hasGroup =
  (id: string) =>
  ({ fields }: ShownServer) =>
    fields.cosmetics.group?.id === id

function nameOfGroup(id: string, servers: readonly ShownServer[], isPublic: (server: ShownServer) => boolean): string | undefined {
  return servers.find((server) => hasGroup(id)(server) && isPublic(server))?.fields.cosmetics.group?.name
}

interface CountedValue {
  readonly value: string
  servers: number
}

const byServers = (a: CountedValue, b: CountedValue) => b.servers - a.servers || (a.value < b.value ? -1 : 1)

/** How many servers each value of a filter would find. */
class FilterCounts {
  readonly #choices = ofEach(CHOICE_FILTERS, () => new Map<string, CountedValue>())
  readonly #switches = ofEach(SWITCH_FILTERS, () => 0)

  /** @param failed the only filter that the server does not match; undefined if it matches all. */
  add(server: ShownServer, failed: FilterName | undefined): void {
    for (const name of CHOICE_FILTERS) {
      // A server must have all chosen tags, so a failed one counts for no other.
      const isCounted = failed === undefined || (failed === name && failed !== 'tag')
      if (isCounted) for (const value of VALUES[name](server)) this.#count(name, value)
    }
    for (const name of SWITCH_FILTERS) if ((failed === undefined || failed === name) && SWITCHES[name](server)) this.#switches[name] += 1
  }

  filters(query: BrowseQuery): BrowseFilters {
    return { choices: ofEach(CHOICE_FILTERS, (name) => this.#top(name, chosenValues(query, name))), switches: this.#switches }
  }

  #count(name: ChoiceFilter, value: string): void {
    if (value === '') return
    const key = foldValue(value).text
    const counted = this.#choices[name].get(key)
    if (counted === undefined) this.#choices[name].set(key, { value, servers: 1 })
    else counted.servers += 1
  }

  /** The values with the most servers, and the chosen ones. */
  #top(name: ChoiceFilter, chosen: readonly string[]): FilterValue[] {
    const counts = this.#choices[name]
    const shown: CountedValue[] = []
    // Servers choose their tags freely, so there may be too many values to sort.
    for (const counted of counts.values()) {
      const last = shown[MAX_VALUES - 1]
      if (last !== undefined && byServers(last, counted) < 0) continue
      shown.push(counted)
      shown.sort(byServers).splice(MAX_VALUES)
    }
    const missing = chosen.filter((value) => !shown.some((other) => searchKey(other.value) === searchKey(value)))
    return [...shown, ...missing.map((value) => counts.get(searchKey(value)) ?? { value, servers: 0 })]
  }
}

function ofEach<Name extends string, T>(names: readonly Name[], make: (name: Name) => T): Record<Name, T> {
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<Name, T>
}

/** Equal servers stay in the order of the list. */
function sort(servers: readonly ShownServer[], by: BrowseSort, { trending }: PublicSources): readonly ShownServer[] {
  if (by === 'players') return servers
  if (by === 'newest') return servers.toSorted((a, b) => b.fields.createdAt - a.fields.createdAt)
  if (by === 'trending') {
    const growthOf = ({ fields }: ShownServer) => trending.growthOf(fields.publicId) ?? 0
    return servers.toSorted((a, b) => growthOf(b) - growthOf(a))
  }
  const nameOf = ({ fields }: ShownServer) => foldListing(fields).text
  return servers.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : Number(nameOf(a) > nameOf(b))))
}

/** For the chosen servers of a visitor: online ones first, then by players. */
export function inPlayerOrder(servers: readonly ShownServer[]): ShownServer[] {
  const rankOf = (server: ShownServer) => (server.online ? 1 + (isConfirmed(server) ? server.announced.playersCount : 0) : 0)
  return servers.toSorted((a, b) => rankOf(b) - rankOf(a) || (a.fields.name < b.fields.name ? -1 : 1))
}
