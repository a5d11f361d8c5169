/** Columns of a list, as TanStack Table defines them. */
import { type ColumnDef, metaHelper, type Row, type RowData, rowSelectionFeature, tableFeatures, useTable } from '@tanstack/react-table'
import { Link, type LinkProps } from '@tanstack/react-router'
import { createContext, type MouseEvent, type ReactNode, useContext, useState } from 'react'
import { TimeAgo } from '#web/ui/time-ago.tsx'

export interface ColumnMeta {
  /** Of the header and the cells. */
  className?: string
  alignEnd?: boolean
  /** A card on a narrow screen shows the cell without the column's title. */
  untitledInCard?: boolean
  /** The header is for screen readers only. */
  isTitleHidden?: boolean
}

/** Pages, sorting and filters are in the URL, and the backend or the page applies them. */
export const features = tableFeatures({ rowSelectionFeature, columnMeta: metaHelper<ColumnMeta>() })

/** The first column is the row's title. A column can be sorted by if its ID is one of the list's `sorts`. */
export type Column<R extends RowData> = ColumnDef<typeof features, R> & { id: string; header: string }
export type TableRow<R extends RowData> = Row<typeof features, R>

/** The side panel of a row. */
export const PanelContext = createContext<{ open: string | undefined; onOpen: (id: string) => void }>({ open: undefined, onOpen: () => {} })

interface RowTitleProps {
  id: string
  icon?: ReactNode
  name: string
  badges?: ReactNode
  subtitle?: ReactNode
  /** The row's page. A plain click opens the side panel if it is a text. */
  href: string | Pick<LinkProps, 'to' | 'params'>
}

const ROW_LINK =
  'truncate text-14 font-medium text-ink-1 after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:rounded-6 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent'

/** The name's link covers the row. */
export function RowTitle({ id, icon, name, badges, subtitle, href }: RowTitleProps) {
  const common = { 'data-row-link': id, title: name, className: ROW_LINK, children: name }
  return (
    <div className="flex min-w-0 items-center gap-3">
      {icon}
      <div className="min-w-0 flex-1">
        <div className="flex items-center gap-1.5">
          {typeof href === 'string' ? <PanelLink id={id} href={href} {...common} /> : <Link {...href} {...common} />}
          {badges}
        </div>
        {subtitle !== undefined && <div className="truncate text-12 text-ink-3">{subtitle}</div>}
      </div>
    </div>
  )
}

function PanelLink({ id, href, children, ...props }: { id: string; href: string; children: ReactNode }) {
  const { open, onOpen } = useContext(PanelContext)
  const onClick = (event: MouseEvent) => {
    // With a modifier key, the browser opens another tab or window.
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    onOpen(id)
  }
  return (
    <a href={href} {...props} aria-haspopup="dialog" aria-expanded={open === id} onClick={onClick}>
      {children}
    </a>
  )
}

/** What stands above the link that covers the row: links, and what has a tooltip. */
export function AboveRowLink({ children }: { children: ReactNode }) {
  return <span className="relative">{children}</span>
}

export function TimeCell({ at }: { at: string }) {
  return (
    <AboveRowLink>
      <TimeAgo at={at} />
    </AboveRowLink>
  )
}

/** Nothing to show. A card on a narrow screen leaves the cell out. */
export function NoneCell({ children = '–' }: { children?: ReactNode }) {
  return (
    <span data-none className="text-ink-3">
      {children}
    </span>
  )
}

/** A count that should be zero. */
export function CountCell({ count }: { count: number }) {
  return count === 0 ? <NoneCell /> : <span className="font-medium text-warn">{count}</span>
}

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
      unselect: (ids: ReadonlySet<string>) =>
        setSelected((previous) => ({ ...previous, all: new Map([...previous.all].filter(([id]) => !ids.has(id))) })),
    },
  }
}
