import { lazy, Suspense, useState } from 'react'
import type { Server } from '#contract/servers/servers.ts'
import { m } from '#messages'
import { Sparkline } from '#web/features/history/last-day.tsx'
import { canEdit, serverLink, type ShownServer } from '#web/features/servers/access.ts'
import { useIsPhone, useMedia } from '#web/lib/use-media.ts'
import { usePinServer } from '#web/features/servers/server-mutations.ts'
import type { ManagedGroup } from '#web/features/servers/managed/managed-groups.ts'
import { PermissionChips } from '#web/features/servers/managed/permission-chips.tsx'
import { Avatar } from '#web/features/session/avatar.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { DataTable } from '#web/ui/table/data-table.tsx'
import { type ListTable, useListTable } from '#web/ui/table/list-table.tsx'
import { useRowKeys } from '#web/ui/table/use-row-keys.ts'
import { toastPartFailed } from '#web/ui/toast.ts'
import { hasStatus, matchesSearch, type OwnList, sortServers, useOwnList } from './list-state.ts'
import { ListToolbar } from './list-toolbar.tsx'
import { OWN_COLUMNS, ServerCells } from './server-columns.tsx'

/** They bring the fields with their schemas, which the list does not need. */
const BulkActions = lazy(() => import('./bulk/bulk-actions.tsx').then((module) => ({ default: module.BulkActions })))

const idOf = ({ public_id: id }: Server) => id
const NO_FAILURES: ReadonlyMap<string, string> = new Map()

interface ServerListProps {
  servers: readonly Server[]
  managed: readonly ManagedGroup[]
  pinned: readonly string[]
}

export function ServerList({ servers, managed, pinned }: ServerListProps) {
  const list = useOwnList()
  const { search, status } = list.state
  const pin = usePinServer()
  const pins = new Set(pinned)
  const { own, groups } = findServers(servers, managed, list, pins)
  const all: ShownServer[] = [...servers, ...managed.flatMap((group) => group.servers)]
  const rows = [...own, ...groups.flatMap((group) => group.servers)]
  const selectionScope = JSON.stringify([search.trim(), status])
  const table = useListTable({ rows, columns: OWN_COLUMNS, idOf, nameOf: ({ name }) => name, selectionScope, canSelect: canEdit })
  const { selection } = table
  const [failures, setFailures] = useState(NO_FAILURES)
  const [isBulkUsed, setBulkUsed] = useState(false)
  if (!isBulkUsed && selection.rows.length > 0) setBulkUsed(true)
  const clear = () => {
    selection.clear()
    setFailures(NO_FAILURES)
  }
  const clearFilter = () => list.change({ search: '', status: undefined })
  const keys = useRowKeys({ rows: table.rows, onClear: clear })
  const part = { table, list, keptId: keys.activeId }
  return (
    <ServerCells
      value={{
        graphOf: (server) => <Sparkline id={idOf(server)} />,
        linkOf: serverLink,
        isCompact: list.isCompact,
        pinned: pins,
        onPin: (server, isPinned) => pin.mutate({ id: idOf(server), isPinned }),
        failures,
      }}
    >
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the links in its rows take the focus */}
      <div onFocus={keys.onFocus} onKeyDown={keys.onKeyDown}>
        <section aria-label={m.servers_list_own()}>
          {all.length > 0 && (
            <ListToolbar
              list={list}
              matching={all.filter((server) => matchesSearch(server, search))}
              found={rows}
              onExport={() => void import('./servers-csv.ts').then(({ downloadServers }) => downloadServers(rows)).catch(toastPartFailed)}
            />
          )}
          {all.length > 0 && rows.length === 0 && (
            <EmptyState title={m.servers_list_none()} action={<Button onClick={clearFilter}>{m.servers_list_clear()}</Button>}>
              {m.servers_list_none_hint({ count: all.length })}
            </EmptyState>
          )}
          {own.length > 0 && <ServerTable {...part} label={m.nav_servers()} servers={own} isFirst />}
        </section>
        {groups.map((group, index) => (
          <ManagedServers key={group.owner.id} {...part} group={group} isFirst={own.length === 0 && index === 0} />
        ))}
      </div>
      <Suspense>{isBulkUsed && <BulkActions selection={selection} onClear={clear} onDone={setFailures} />}</Suspense>
    </ServerCells>
  )
}

/** What the search and the status find, in order. Without them, owners without servers are found too. */
function findServers(servers: readonly Server[], managed: readonly ManagedGroup[], list: OwnList, pins: ReadonlySet<string>) {
  const { search, status } = list.state
  const find = <S extends ShownServer>(all: readonly S[]) => {
    const found = all.filter((server) => matchesSearch(server, search) && (status === undefined || hasStatus(server, status)))
    return sortServers(found, list.state, pins)
  }
  return {
    own: find<ShownServer>(servers),
    groups: managed
      .map((group) => ({ ...group, servers: find(group.servers) }))
      .filter((group) => group.servers.length > 0 || !list.isFiltered),
  }
}

interface PartProps {
  table: ListTable<ShownServer>
  list: OwnList
  keptId: string | undefined
  /** Only the first table of the page shows the column names and the select-all checkbox. */
  isFirst: boolean
}

interface ServerTableProps extends PartProps {
  servers: readonly ShownServer[]
  label?: string
  labelledBy?: string
}

function ServerTable({ servers, isFirst, ...props }: ServerTableProps) {
  const { isCompact } = props.list
  return (
    <DataTable
      {...props}
      rows={servers.map((server) => props.table.model.getRow(idOf(server)))}
      header={isFirst ? 'wide' : 'hidden'}
      selectAllLabel={m.servers_list_select_all()}
      rowHeight={useRowHeight(isCompact)}
      className={isCompact ? COMPACT : COMFORTABLE}
    />
  )
}

const COMFORTABLE = 'lg:[&_:is(td,th)+:is(td,th)]:px-2 lg:[&_td]:py-1.5'
const COMPACT = 'lg:[&_:is(td,th)+:is(td,th)]:px-2 lg:[&_td]:py-0.5 max-lg:[&_tr]:gap-y-1 max-lg:[&_tr]:py-2'

/** In pixels, with the default font size. */
function useRowHeight(isCompact: boolean): number {
  const isNarrow = useMedia('(width < 1100px)')
  const [phone, wider] = isCompact ? ([81, 41] as const) : ([111, isNarrow ? 65 : 53] as const)
  return useIsPhone() ? phone : wider
}

function ManagedServers({ group: { owner, permissions, servers }, ...part }: PartProps & { group: ManagedGroup }) {
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
        <ServerTable {...part} labelledBy={id} servers={servers} />
      )}
    </section>
  )
}
