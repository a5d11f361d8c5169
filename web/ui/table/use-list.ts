import { useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import type { PageMeta } from '#contract/paging.ts'
import { focusTitleAfterRemoval } from '#web/lib/focus.ts'
import type { Filters, List, ListState, Order, PageSize } from '#web/lib/list-search.ts'
import { stringifySearch } from '#web/lib/search-params.ts'

export interface PageKey {
  after?: string | undefined
  before?: string | undefined
}

function inAnyOrder(search: Readonly<Record<string, unknown>>): string {
  return stringifySearch(search).slice(1).split('&').toSorted().join('&')
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The open row was opened from its list, which is one step back. */
    fromList?: boolean
  }
}

type Changes = Readonly<Record<string, unknown>>

export interface AnyList {
  readonly state: { readonly sort: string; readonly order: Order; readonly open: string | undefined }
  readonly sorts: Readonly<Record<string, Order>>
  readonly sortBy: (sort: string, order: Order) => void
  readonly change: (changes: { per_page: PageSize }) => void
  readonly turn: (page: number, key?: PageKey, replace?: boolean) => void
  readonly open: (id: string) => void
}

export function useList<S extends string, F extends Filters>(list: List<S, F>) {
  const raw: Readonly<Record<string, unknown>> = useSearch({ strict: false })
  const state = list.read(raw)
  const navigate = useNavigate()
  const { history } = useRouter()
  const cameFromList = () => history.location.state.fromList === true
  const go = (changes: Changes, replace = false, fromList = false) => {
    const search = list.write({ ...state, ...changes })
    // Belongs to this entry of the browser's history.
    const marked = fromList ? { fromList } : {}
    void navigate({ to: '.', search: search as never, replace, resetScroll: false, state: () => marked })
  }
  const mend = useEffectEvent(() => go({}, true, cameFromList()))
  // Removes nonsense from an address that was typed or is old.
  const isSound = inAnyOrder(raw) === inAnyOrder(list.write(state))
  useEffect(() => {
    if (!isSound) mend()
  }, [isSound])
  const change = (changes: Partial<ListState<S, F>>, replace = false) => {
    go({ page: 1, after: undefined, before: undefined, open: undefined, ...changes }, replace)
  }
  const widest = list.read({})
  const narrowing = list.narrowing(state)
  return {
    state,
    sorts: list.sorts,
    /** Equal where the same rows are found. */
    narrowing,
    narrowed: narrowing !== list.narrowing(widest),
    /** Removes the search and all filters; the order stays. */
    showAll: () => {
      go({ ...widest, per_page: state.per_page, sort: state.sort, order: state.order })
      focusTitleAfterRemoval()
    },
    /** Filters or sorts: back to the first page. */
    change,
    /** @param sort one of `sorts` */
    sortBy: (sort: string, order: Order) => change({ sort: sort as S, order } as Partial<ListState<S, F>>),
    turn: (page: number, { after, before }: PageKey = {}, replace = false) => {
      go({ page, after, before, open: undefined }, replace)
    },
    /** From one open row to another is no step back of its own. */
    open: (id: string) => {
      const isOpen = state.open !== undefined
      go({ open: id }, isOpen, !isOpen || cameFromList())
    },
    close: () => {
      if (cameFromList()) history.back()
      else go({ open: undefined }, true)
    },
  }
}

/** A page beyond the end gives way to the last one. */
export function useLastPage(meta: PageMeta | undefined, rows: number, list: Pick<AnyList, 'turn'>): void {
  const last = meta && rows === 0 && meta.page > 1 ? Math.max(1, Math.min(meta.pages, meta.page - 1)) : undefined
  const turnTo = useEffectEvent((page: number) => list.turn(page, {}, true))
  useEffect(() => {
    if (last !== undefined) turnTo(last)
  }, [last])
}
