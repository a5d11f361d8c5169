import { Pin, PinOff } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Server } from '#contract/servers/servers.ts'
import { m } from '#messages'
import type { ShownServer } from '#web/features/servers/access.ts'
import { ServerRow } from '#web/features/servers/server-row.tsx'
import { MenuItem } from '#web/ui/menu.tsx'
import { RowCheckbox } from '#web/ui/table/table-row.tsx'
import type { Selection } from '#web/ui/table/use-selection.ts'
import { RowMenu } from './row-menu.tsx'
import { ServerColumns } from './server-columns.tsx'
import type { ListControls } from './use-list-state.ts'
import { VirtualRows } from './virtual-rows.tsx'

/** What all tables of the page share. */
export interface TableContext {
  list: ListControls
  selection: Selection<ShownServer>
  canSelect: (server: ShownServer) => boolean
  pinned: ReadonlySet<string>
  onPin: (server: ShownServer, isPinned: boolean) => void
  /** Why a bulk change failed, by server. */
  failures: ReadonlyMap<string, string>
  graphOf: (server: Server) => ReactNode
  activeId: string | undefined
  isVirtual: boolean
}

interface ServerTableProps {
  servers: readonly ShownServer[]
  label?: string
  labelledBy?: string
  /** Only the first table of the page shows the column names and the select-all checkbox. */
  isFirst: boolean
  context: TableContext
}

export function ServerTable({ servers, label, labelledBy, isFirst, context }: ServerTableProps) {
  const { list, selection, isVirtual } = context
  const rowIndexOf = (index: number) => (isVirtual ? index + (isFirst ? 2 : 1) : undefined)
  const rowOf = (index: number, measure?: (element: HTMLElement | null) => void) => {
    const server = servers[index]
    if (!server) return null
    return <ListRow key={server.public_id} server={server} context={context} index={index} rowIndex={rowIndexOf(index)} measure={measure} />
  }
  const rowHeight = isVirtual ? rowHeightOf(list.density === 'compact') : 0
  return (
    <div
      role="table"
      data-list
      aria-label={label}
      aria-labelledby={labelledBy}
      aria-rowcount={isVirtual ? servers.length + (isFirst ? 1 : 0) : undefined}
      className="card relative overflow-hidden"
    >
      {isFirst && (
        <div role="rowgroup">
          <ServerColumns
            select={<SelectAll selection={selection} />}
            sort={list.sort}
            onSort={list.sortBy}
            rowIndex={isVirtual ? 1 : undefined}
          />
        </div>
      )}
      {isVirtual ? (
        <VirtualRows
          // Measured heights belong to one density and width.
          key={rowHeight}
          ids={servers.map(({ public_id: id }) => id)}
          rowHeight={rowHeight}
          keptIndex={servers.findIndex(({ public_id: id }) => id === context.activeId)}
        >
          {rowOf}
        </VirtualRows>
      ) : (
        <div role="rowgroup">{servers.map((_, index) => rowOf(index))}</div>
      )}
    </div>
  )
}

/** In pixels, with the default font size. */
function rowHeightOf(isCompact: boolean): number {
  if (matchMedia('(width < 640px)').matches) return isCompact ? 81 : 111
  if (matchMedia('(width < 1100px)').matches) return isCompact ? 41 : 65
  return isCompact ? 41 : 53
}

function SelectAll({ selection }: { selection: Selection<ShownServer> }) {
  return (
    <RowCheckbox
      label={m.servers_list_select_all()}
      checked={selection.page === 'all'}
      mixed={selection.page === 'some'}
      onToggle={selection.togglePage}
    />
  )
}

function PinItem({ isPinned, onPin }: { isPinned: boolean; onPin: () => void }) {
  const Icon = isPinned ? PinOff : Pin
  return (
    <MenuItem icon={<Icon size={15} />} onSelect={onPin}>
      {isPinned ? m.servers_row_unpin() : m.servers_row_pin()}
    </MenuItem>
  )
}

interface ListRowProps {
  server: ShownServer
  context: TableContext
  index: number
  rowIndex: number | undefined
  measure: ((element: HTMLElement | null) => void) | undefined
}

function ListRow({ server, context, index, rowIndex, measure }: ListRowProps) {
  const { list, selection, canSelect, pinned, failures, graphOf } = context
  const isSelected = selection.has(server)
  const isPinned = pinned.has(server.public_id)
  return (
    <ServerRow
      server={server}
      graph={graphOf(server)}
      menu={
        <RowMenu server={server}>
          <PinItem isPinned={isPinned} onPin={() => context.onPin(server, !isPinned)} />
        </RowMenu>
      }
      select={
        canSelect(server) ? (
          <RowCheckbox
            label={m.ui_table_select({ row: server.name })}
            checked={isSelected}
            onToggle={(range) => selection.toggle(server, range)}
          />
        ) : null
      }
      isSelected={isSelected}
      isPinned={isPinned}
      isCompact={list.density === 'compact'}
      failure={failures.get(server.public_id)}
      index={index}
      rowIndex={rowIndex}
      measure={measure}
    />
  )
}
