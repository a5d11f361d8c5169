import { useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import type { PageMeta } from '#contract/api/paging.ts'
import type { Filters, List, ListState, Order, PageSize } from '#web/lib/url/list-search.ts'
import { stringifySearch } from '#web/lib/url/search-params.ts'

export interface PageKey {
  after?: string | undefined
  before?: string | undefined
}

function sortedSearch(search: Readonly<Record<string, unknown>>): string {
  return stringifySearch(search).slice(1).split('&').toSorted().join('&')
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The row was opened from its list, which is the previous history entry. */
    fromList?: boolean
  }
}

type Changes = Readonly<Record<string, unknown>>

export interface AnyList {
  readonly state: { readonly sort: string; readonly order: Order; readonly open: string | undefined }
  readonly sorts: Readonly<Record<string, Order>>
  readonly sortBy: (sort: string, order: Order) => void
  readonly change: (changes: { per_page: PageSize }) => void
  readonly goToPage: (page: number, key?: PageKey, replace?: boolean) => void
  readonly open: (id: string) => void
}

export function useList<S extends string, F extends Filters>(list: List<S, F>) {
  const raw: Readonly<Record<string, unknown>> = useSearch({ strict: false })
  const state = list.read(raw)
  const navigate = useNavigate()
  const { history } = useRouter()
  const cameFromList = () => history.location.state.fromList === true
  const update = (changes: Changes, replace = false, fromList = false) => {
    const search = list.write({ ...state, ...changes })
    const historyState = fromList ? { fromList } : {}
    void navigate({ to: '.', search: search as never, replace, resetScroll: false, state: () => historyState })
  }
  const normalize = useEffectEvent(() => update({}, true, cameFromList()))
  // Normalizes a mistyped or outdated URL.
  const isNormalized = sortedSearch(raw) === sortedSearch(list.write(state))
  useEffect(() => {
    if (!isNormalized) normalize()
  }, [isNormalized])
  const change = (changes: Partial<ListState<S, F>>, replace = false) => {
    update({ page: 1, after: undefined, before: undefined, open: undefined, ...changes }, replace)
  }
  const unfiltered = list.read({})
  const filterKey = list.filterKey(state)
  return {
    state,
    sorts: list.sorts,
    /** Equal for states that find the same rows. */
    filterKey,
    isFiltered: filterKey !== list.filterKey(unfiltered),
    /** Removes the search and all filters; the order stays. */
    clearFilters: () => update({ ...unfiltered, per_page: state.per_page, sort: state.sort, order: state.order }),
    /** Changes filters or the order, and returns to the first page. */
    change,
    /** @param sort one of `sorts` */
    sortBy: (sort: string, order: Order) => change({ sort: sort as S, order } as Partial<ListState<S, F>>),
    goToPage: (page: number, { after, before }: PageKey = {}, replace = false) => {
      update({ page, after, before, open: undefined }, replace)
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

/** Replaces a page beyond the end with the last one. */
export function useRedirectToLastPage(meta: PageMeta | undefined, rows: number, list: Pick<AnyList, 'goToPage'>): void {
  const last = meta && rows === 0 && meta.page > 1 ? Math.max(1, Math.min(meta.pages, meta.page - 1)) : undefined
  const redirect = useEffectEvent((page: number) => list.goToPage(page, {}, true))
  useEffect(() => {
    if (last !== undefined) redirect(last)
  }, [last])
}
