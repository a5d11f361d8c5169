import { type RowData, useTable } from '@tanstack/react-table'
import { useState } from 'react'
import { type Column, features } from './columns.tsx'

interface ListTableOptions<R extends RowData> {
  rows: readonly R[]
  columns: readonly Column<R>[]
  idOf: (row: R) => string
  nameOf: (row: R) => string
  /** Without it, rows can't be selected. A selection belongs to one scope, such as the filters. */
  selectionScope?: string
  canSelect?: (row: R) => boolean
}

export type ListTable<R extends RowData> = ReturnType<typeof useListTable<R>>
export type Selection<R extends RowData> = ListTable<R>['selection']

/** The rows of a list, and the selected ones, also of other pages. */
export function useListTable<R extends RowData>({ rows, columns, idOf, nameOf, selectionScope, canSelect }: ListTableOptions<R>) {
  const [{ scope, all }, setSelected] = useState<{ scope?: string; all: ReadonlyMap<string, R> }>({ all: new Map() })
  const selected: ReadonlyMap<string, R> = scope === selectionScope ? all : new Map()
  const select = (next: ReadonlyMap<string, R>) =>
    setSelected({ ...(selectionScope !== undefined && { scope: selectionScope }), all: next })
  const rowSelection = Object.fromEntries([...selected.keys()].map((id) => [id, true as const]))
  const table = useTable({
    features,
    columns,
    data: rows,
    getRowId: idOf,
    enableRowSelection: selectionScope !== undefined && (!canSelect || (({ original }) => canSelect(original))),
    state: { rowSelection },
    onRowSelectionChange: (update) => {
      const ids = Object.keys(typeof update === 'function' ? update(rowSelection) : update)
      const known = new Map([...selected, ...rows.map((row) => [idOf(row), row] as const)])
      select(new Map(ids.flatMap((id) => (known.has(id) ? [[id, known.get(id) as R]] : []))))
    },
  })
  return {
    /** Of TanStack Table. */
    model: table,
    rows: table.getRowModel().rows,
    nameOf,
    isSelectable: selectionScope !== undefined,
    selection: {
      idOf,
      nameOf,
      /** Those of the shown page are up to date. */
      rows: [...selected].map(([id, row]) => rows.find((each) => idOf(each) === id) ?? row),
      clear: () => select(new Map()),
      keep: (ids: ReadonlySet<string>) => select(new Map([...selected].filter(([id]) => ids.has(id)))),
    },
  }
}
