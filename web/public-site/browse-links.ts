/** The addresses and titles of `/browse`. */
import {
  type BrowseQuery,
  type BrowseView,
  CHOICE_FILTERS,
  type ChoiceFilter,
  SWITCH_FILTERS,
  type SwitchFilter,
} from '#contract/public-site/public-site.ts'
import { searchKey } from '#contract/text/search-key.ts'
import { m } from '#messages'
import { brand } from '#web/lib/brand.ts'
import { fieldText } from '#web/lib/code-names.ts'

/** The parameters in a fixed order, so that each state of the page has one address. Filters come first, the page last. */
export function parametersOf(query: Partial<BrowseQuery>): [name: string, value: string][] {
  const { q, tag = [], sort = 'players', page = 1, ids } = query
  const parameters: [string, string | undefined][] = [
    ['q', q],
    ...CHOICE_FILTERS.filter((name) => name !== 'tag').map((name): [string, string | undefined] => [name, query[name]]),
    ...tag.map((value): [string, string] => ['tag', value]),
    ['group', query.group],
    ...SWITCH_FILTERS.map((name): [string, string | undefined] => [name, query[name]]),
    ['ids', ids?.join(',')],
    ['sort', sort === 'players' ? undefined : sort],
    ['page', page === 1 ? undefined : String(page)],
  ]
  return parameters.flatMap(([name, value]): [string, string][] => (value === undefined ? [] : [[name, value]]))
}

export function browsePath(query: Partial<BrowseQuery>): string {
  const text = new URLSearchParams(parametersOf(query)).toString()
  return text === '' ? '/browse' : `/browse?${text}`
}

/** The whole list in its own order, on any page. */
export function isPlainBrowse(query: BrowseQuery): boolean {
  return parametersOf({ ...query, page: 1 }).length === 0
}

export const canonicalBrowsePath = (query: BrowseQuery): string => browsePath(isPlainBrowse(query) ? { page: query.page } : {})

/** The query with a filter changed. A choice of tags adds one; every change leads to the first page. */
export function withChoice(query: BrowseQuery, name: ChoiceFilter, value: string): BrowseQuery {
  if (name === 'tag') return { ...query, tag: [...query.tag.filter((tag) => tag !== value), value], page: 1 }
  return { ...query, [name]: value, page: 1 }
}

export function withoutChoice(query: BrowseQuery, name: ChoiceFilter, value: string): BrowseQuery {
  const { [name]: _, ...rest } = query
  return {
    ...rest,
    tag: name === 'tag' ? query.tag.filter((tag) => searchKey(tag) !== searchKey(value)) : query.tag,
    page: 1,
  } as BrowseQuery
}

export function withSwitch(query: BrowseQuery, name: SwitchFilter): BrowseQuery {
  return { ...query, [name]: query[name] === undefined ? '1' : undefined, page: 1 }
}

export const SWITCH_NAMES: Readonly<Record<SwitchFilter, () => string>> = {
  has_slots: m.public_filter_has_slots,
  no_password: m.public_filter_no_password,
  verified: m.public_filter_verified,
}

export const CHOICE_NAMES: Readonly<Record<ChoiceFilter, () => string>> = {
  language: m.public_filter_language,
  region: m.public_filter_region,
  tag: m.public_filter_tag,
  game_mode: m.public_filter_game_mode,
  version: m.public_filter_version,
}

/** How many filters are set, without the search and the sort. */
export function countFilters(query: BrowseQuery): number {
  return parametersOf({ ...query, q: undefined, sort: 'players', page: 1 }).length
}

/** Different for each state of the page. */
export function browseTitle({ query, pages, groupName }: BrowseView): string {
  const choices = CHOICE_FILTERS.flatMap((name) => [query[name] ?? []].flat().map((value) => fieldText(name, value)))
  const switches = SWITCH_FILTERS.filter((name) => query[name] !== undefined).map((name) => SWITCH_NAMES[name]())
  const parts = [
    query.ids === undefined ? m.public_browse_title() : m.public_browse_title_chosen(),
    ...(query.q === undefined ? [] : [`“${query.q}”`]),
    ...choices,
    ...(query.group === undefined ? [] : [groupName ?? m.public_fact_group()]),
    ...switches,
    ...(query.sort === 'players' ? [] : [SORT_NAMES[query.sort]()]),
    ...(query.page === 1 ? [] : [m.public_page_of({ page: query.page, pages })]),
  ]
  return [...parts, brand.name].join(' · ')
}

export const SORT_NAMES = {
  players: m.public_sort_players,
  name: m.public_sort_name,
  newest: m.public_sort_newest,
  trending: m.public_sort_trending,
} as const
