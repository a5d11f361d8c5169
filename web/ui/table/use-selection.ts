import { useState } from 'react'

export type Selection<R> = ReturnType<typeof useSelection<R>>

/** Keeps rows from other pages. A selection belongs to one `scope` (search and filters). */
export function useSelection<R>(rows: readonly R[], idOf: (row: R) => string, scope: string) {
  const [state, setState] = useState<{ scope: string; selected: ReadonlyMap<string, R>; anchor?: string }>({ scope, selected: new Map() })
  const selected: ReadonlyMap<string, R> = state.scope === scope ? state.selected : new Map()
  const anchor = state.scope === scope ? state.anchor : undefined
  const onPage = rows.filter((row) => selected.has(idOf(row))).length
  const set = (next: ReadonlyMap<string, R>, from = anchor) =>
    setState({ scope, selected: next, ...(from !== undefined && { anchor: from }) })
  const withRows = (changed: readonly R[], isSelected: boolean) => {
    const next = new Map(selected)
    for (const row of changed) {
      if (isSelected) next.set(idOf(row), row)
      else next.delete(idOf(row))
    }
    return next
  }
  return {
    /** Includes rows from other pages. Rows on this page are up to date. */
    rows: [...selected].map(([id, row]) => rows.find((each) => idOf(each) === id) ?? row),
    has: (row: R) => selected.has(idOf(row)),
    /** `range` includes all rows since the last toggled one. */
    toggle: (row: R, range: boolean) => {
      const to = rows.findIndex((each) => idOf(each) === idOf(row))
      const from = range ? rows.findIndex((each) => idOf(each) === anchor) : -1
      const changed = from === -1 ? [row] : rows.slice(Math.min(to, from), Math.max(to, from) + 1)
      set(withRows(changed, !selected.has(idOf(row))), idOf(row))
    },
    togglePage: () => set(withRows(rows, onPage < rows.length)),
    page: onPage === 0 ? ('none' as const) : onPage === rows.length ? ('all' as const) : ('some' as const),
    clear: () => set(new Map()),
    keep: (ids: ReadonlySet<string>) => set(new Map([...selected].filter(([id]) => ids.has(id)))),
  }
}
