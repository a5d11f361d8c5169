import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { type Density, DENSITY_COOKIE, type ListState, readListState, type SortKey, SORTS, writeListState } from './list-state.ts'

function readDensity(): Density {
  const isCompact = globalThis.document?.cookie.split('; ').includes(`${DENSITY_COOKIE}=compact`)
  return isCompact ? 'compact' : 'comfortable'
}

/** Lazy, because the first page has a byte budget. If it fails to load, only this page keeps the choice. */
function storeDensity(density: Density): void {
  import('#web/lib/cookies.ts').then(
    ({ writeCookie }) => writeCookie(DENSITY_COOKIE, density === 'compact' ? density : null),
    () => {},
  )
}

/** The URL decides. Without a density in it, this browser's last choice counts. */
export function useListState() {
  const state = readListState(useSearch({ strict: false }))
  const navigate = useNavigate()
  const [savedDensity, setSavedDensity] = useState(readDensity)
  const change = (changes: Partial<ListState>) =>
    void navigate({ to: '.', search: writeListState({ ...state, ...changes }), replace: true, resetScroll: false })
  return {
    ...state,
    density: state.density ?? savedDensity,
    search: (query: string) => change({ query }),
    filter: (status: ListState['status']) => change({ status }),
    clear: () => change({ query: '', status: undefined }),
    /** Sorting by the same key again reverses the order. */
    sortBy: (key: SortKey) => {
      const { sort } = state
      const order = sort.key === key ? (sort.order === 'asc' ? 'desc' : 'asc') : SORTS[key]
      change({ sort: { key, order } })
    },
    setDensity: (density: Density) => {
      storeDensity(density)
      setSavedDensity(density)
      change({ density: density === 'compact' ? density : undefined })
    },
  }
}

export type ListControls = ReturnType<typeof useListState>
