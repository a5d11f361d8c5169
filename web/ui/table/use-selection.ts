import { useState } from 'react'

export type Selection<R> = ReturnType<typeof useSelection<R>>

/** Survives turning pages; another `scope` (filters, search) is another list. */
export function useSelection<R>(rows: readonly R[], idOf: (row: R) => string, scope: string) {
  const [held, setHeld] = useState<{ scope: string; chosen: ReadonlyMap<string, R>; anchor?: string }>({ scope, chosen: new Map() })
  const chosen: ReadonlyMap<string, R> = held.scope === scope ? held.chosen : new Map()
  const anchor = held.scope === scope ? held.anchor : undefined
  const onPage = rows.filter((row) => chosen.has(idOf(row))).length
  const set = (next: ReadonlyMap<string, R>, from = anchor) => setHeld({ scope, chosen: next, ...(from !== undefined && { anchor: from }) })
  const withRows = (some: readonly R[], on: boolean) => {
    const next = new Map(chosen)
    for (const row of some) {
      if (on) next.set(idOf(row), row)
      else next.delete(idOf(row))
    }
    return next
  }
  return {
    /** Also from other pages; a row of this page as it is now. */
    rows: [...chosen].map(([id, row]) => rows.find((each) => idOf(each) === id) ?? row),
    has: (row: R) => chosen.has(idOf(row)),
    /** With `range` all rows from the one chosen last. */
    toggle: (row: R, range: boolean) => {
      const at = rows.findIndex((each) => idOf(each) === idOf(row))
      const from = range ? rows.findIndex((each) => idOf(each) === anchor) : -1
      const some = from === -1 ? [row] : rows.slice(Math.min(at, from), Math.max(at, from) + 1)
      set(withRows(some, !chosen.has(idOf(row))), idOf(row))
    },
    togglePage: () => set(withRows(rows, onPage < rows.length)),
    page: onPage === 0 ? ('none' as const) : onPage === rows.length ? ('all' as const) : ('some' as const),
    clear: () => set(new Map()),
    keep: (ids: ReadonlySet<string>) => set(new Map([...chosen].filter(([id]) => ids.has(id)))),
  }
}
