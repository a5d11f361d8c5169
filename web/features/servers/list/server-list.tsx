import { type ReactNode, useState } from 'react'
import type { Server } from '#contract/servers/servers.ts'
import { m } from '#messages'
import { hasPermission, type ShownServer } from '#web/features/servers/access.ts'
import type { ManagedGroup } from '#web/features/servers/managed/managed-groups.ts'
import { PermissionChips } from '#web/features/servers/managed/permission-chips.tsx'
import { statusOf } from '#web/features/servers/status.ts'
import { Avatar } from '#web/features/session/avatar.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { useSelection } from '#web/ui/table/use-selection.ts'
import { countStatuses, matchesQuery, sortServers } from './list-state.ts'
import { ListToolbar } from './list-toolbar.tsx'
import { ServerTable, type TableContext } from './server-table.tsx'
import { downloadServers } from './servers-csv.ts'
import { useListKeys } from './use-list-keys.ts'
import { type ListControls, useListState } from './use-list-state.ts'
import { usePinServer } from './use-pin-server.ts'
import { BulkActions } from './bulk/bulk-actions.tsx'

/** Above this, only the visible rows are rendered. */
const MAX_RENDERED_ROWS = 100

const idOf = ({ public_id: id }: Server) => id
const canSelect = (server: ShownServer) => hasPermission(server, 'EDIT_DETAILS') || hasPermission(server, 'EDIT_APPEARANCE')
const NO_FAILURES: ReadonlyMap<string, string> = new Map()

interface ServerListProps {
  servers: readonly Server[]
  managed: readonly ManagedGroup[]
  graphOf: (server: Server) => ReactNode
  pinned: readonly string[]
}

export function ServerList({ servers, managed, graphOf, pinned }: ServerListProps) {
  const list = useListState()
  const pin = usePinServer()
  const pins = new Set(pinned)
  const found = useFound(servers, managed, list, pins)
  const { own, groups, rows } = found
  const selection = useSelection(rows.filter(canSelect), idOf, JSON.stringify([list.query.trim(), list.status]))
  const [failures, setFailures] = useState(NO_FAILURES)
  const [isBulkUsed, setBulkUsed] = useState(false)
  if (!isBulkUsed && selection.rows.length > 0) setBulkUsed(true)
  const clear = () => {
    selection.clear()
    setFailures(NO_FAILURES)
  }
  const keys = useListKeys({
    ids: rows.map(idOf),
    onSelect: (id) => {
      const row = rows.find((each) => idOf(each) === id)
      if (row && canSelect(row)) selection.toggle(row, false)
    },
    onClear: clear,
  })
  const context: TableContext = {
    list,
    selection,
    canSelect,
    pinned: pins,
    onPin: (server, isPinned) => pin.mutate({ id: idOf(server), isPinned }),
    failures,
    graphOf,
    activeId: keys.activeId,
    isVirtual: rows.length > MAX_RENDERED_ROWS,
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the links in its rows take the focus
    <div onFocus={keys.onFocus} onKeyDown={keys.onKeyDown}>
      <section aria-label={m.servers_list_own()}>
        {found.total > 0 && <ListToolbar list={list} counts={found.counts} found={rows.length} onExport={() => downloadServers(rows)} />}
        {found.total > 0 && rows.length === 0 && <NothingFound list={list} total={found.total} />}
        {own.length > 0 && <ServerTable label={m.nav_servers()} servers={own} isFirst context={context} />}
      </section>
      {groups.map((group, index) => (
        <ManagedServers key={group.owner.id} group={group} isFirst={own.length === 0 && index === 0} context={context} />
      ))}
      {isBulkUsed && (
        <BulkActions
          selection={selection}
          onClear={clear}
          onDone={(remaining, reasons) => {
            selection.keep(remaining)
            setFailures(reasons)
          }}
        />
      )}
    </div>
  )
}

/** What the search and the status find, in order, and how many servers have each status. */
function useFound(servers: readonly Server[], managed: readonly ManagedGroup[], list: ListControls, pins: ReadonlySet<string>) {
  const { query, status, sort } = list
  const matching = <S extends Server>(all: readonly S[]) => all.filter((server) => matchesQuery(server, query))
  const found = <S extends Server>(all: readonly S[]) => {
    const shown = status === undefined ? all : all.filter((server) => statusOf(server).key === status)
    return sortServers(matching(shown), sort, pins)
  }
  const isFiltered = query.trim() !== '' || status !== undefined
  const own: ShownServer[] = found(servers)
  // Without a filter, owners without servers are shown too.
  const groups = managed
    .map((group) => ({ ...group, servers: found(group.servers) }))
    .filter((group) => group.servers.length > 0 || !isFiltered)
  const all = [...servers, ...managed.flatMap((group) => group.servers)]
  return {
    own,
    groups,
    rows: [...own, ...groups.flatMap((group) => group.servers)],
    total: all.length,
    counts: countStatuses(matching(all)),
  }
}

function NothingFound({ list, total }: { list: ListControls; total: number }) {
  return (
    <EmptyState title={m.servers_list_none()} action={<Button onClick={list.clear}>{m.servers_list_clear()}</Button>}>
      {m.servers_list_none_hint({ count: total })}
    </EmptyState>
  )
}

interface ManagedServersProps {
  group: ManagedGroup
  isFirst: boolean
  context: TableContext
}

function ManagedServers({ group: { owner, permissions, servers }, isFirst, context }: ManagedServersProps) {
  const { username } = owner.discord
  const id = `owner-${owner.id}`
  return (
    <section aria-labelledby={id} className="mt-6">
      <div className="mb-2 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 id={id} className="flex min-w-0 items-center gap-2 text-14">
          <Avatar user={owner.discord} size={24} />
          <span className="min-w-0 truncate" title={username}>
            <span className="text-ink-3">{m.managed_page_for()} </span>
            <span className="font-medium">{username}</span>
          </span>
        </h2>
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1.5 text-12 text-ink-3">
          <span aria-hidden="true">{m.servers_managed_permissions_yours()}</span>
          <PermissionChips permissions={permissions} />
        </div>
      </div>
      {servers.length === 0 ? (
        <p className="rounded-10 border border-dashed border-line px-4 py-3.5 text-13 text-ink-2">
          {m.servers_list_managed_empty({ owner: username })}
        </p>
      ) : (
        <ServerTable labelledBy={id} servers={servers} isFirst={isFirst} context={context} />
      )}
    </section>
  )
}
