import { useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import type { BaseState, Filters, List, Order } from '#web/lib/url/list-search.ts'
import { stringifySearch } from '#web/lib/url/search-params.ts'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The row was opened from its list, which is the previous history entry. */
    fromList?: boolean
  }
}

const sortedSearch = (search: object) =>
  stringifySearch({ ...search })
    .slice(1)
    .split('&')
    .toSorted()
    .join('&')

/** Any list, for parts that don't know its filters. */
export type AnyList = Omit<ReturnType<typeof useList<string, Filters>>, 'state'> & { readonly state: BaseState }

/** The list's state in the URL. Invalid values are removed from it. */
export function useList<S extends string, F extends Filters>(list: List<S, F>) {
  const raw: Readonly<Record<string, unknown>> = useSearch({ strict: false })
  const state = list.read(raw)
  const navigate = useNavigate()
  const { history } = useRouter()
  const cameFromList = () => history.location.state.fromList === true
  const update = (changes: Readonly<Record<string, unknown>>, replace = false, fromList = false) => {
    const search = list.write({ ...state, ...changes })
    void navigate({ to: '.', search: search as never, replace, resetScroll: false, state: () => (fromList ? { fromList } : {}) })
  }
  const normalize = useEffectEvent(() => update({}, true, cameFromList()))
  const isNormalized = sortedSearch(raw) === sortedSearch(list.write(state))
  useEffect(() => {
    if (!isNormalized) normalize()
  }, [isNormalized])
  const change = (changes: Readonly<Record<string, unknown>>, replace = false) =>
    update({ page: 1, after: undefined, before: undefined, open: undefined, ...changes }, replace)
  const unfiltered = list.read({})
  const filterKey = list.filterKey(state)
  return {
    state,
    sorts: list.sorts as Readonly<Record<string, Order>>,
    filters: list.filters as Filters,
    valuesOf: (filter: string) => [state[filter] ?? []].flat() as readonly string[],
    /** Equal for states that find the same rows. */
    filterKey,
    isFiltered: filterKey !== list.filterKey(unfiltered),
    /** Changes filters, the order or the page. Anything else returns to the first page. */
    change,
    /** Removes the search and all filters; the order stays. */
    clearFilters: () => {
      const { per_page, sort, order } = state
      update({ ...unfiltered, per_page, sort, order })
    },
    /** Sorting by the same column again reverses the order. */
    sortBy: (sort: string) => {
      const order = sort === state.sort ? (state.order === 'asc' ? 'desc' : 'asc') : list.sorts[sort as S]
      change({ sort, order })
    },
    /** Switching from one open row to another replaces the history entry. */
    open: (id: string) => {
      const isOpen = state.open !== undefined
      update({ open: id }, isOpen, !isOpen || cameFromList())
    },
    close: () => {
      if (cameFromList()) history.back()
      else update({ open: undefined }, true)
    },
  }
}
