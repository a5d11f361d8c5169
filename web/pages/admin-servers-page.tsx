import { useQuery } from '@tanstack/react-query'
import { adminServersOptions } from '#web/features/servers/admin/admin-servers.api.ts'
import { ServerPanel } from '#web/features/servers/admin/server-panel.tsx'
import { ServersBulk } from '#web/features/servers/admin/servers-bulk.tsx'
import { isNarrowed, ServersFilters, WIDE } from '#web/features/servers/admin/servers-filters.tsx'
import { serversList } from '#web/features/servers/admin/servers-list.ts'
import { type ServersList, ServersTable } from '#web/features/servers/admin/servers-table.tsx'
import { messageOf } from '#web/lib/http-error.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import '#web/ui/mono.css'
import { RetryNote } from '#web/ui/note.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Pager } from '#web/ui/table/pager.tsx'
import { useLastPage, useList } from '#web/ui/table/use-list.ts'
import { useSelection } from '#web/ui/table/use-selection.ts'

/** All servers, whosever they are, to be searched, narrowed and looked after. */
export function AdminServersPage() {
  useTitle('All servers')
  const list = useList(serversList)
  const { search, status, banned, tags, user_id: owner, group_id: group, open } = list.state
  const { data, error, isPlaceholderData, refetch } = useQuery(adminServersOptions(list.state))
  const rows = data?.data
  useLastPage(data?.meta, rows?.length ?? 0, list)
  const selection = useSelection(rows ?? [], (server) => server.public_id, JSON.stringify([search, status, banned, tags, owner, group]))
  return (
    <>
      <PageHeader title="All servers" />
      <ServersFilters list={list} rows={rows ?? []} />
      {error && (
        <div className="mb-3">
          <RetryNote onRetry={() => void refetch()}>{messageOf(error)}</RetryNote>
        </div>
      )}
      {(data !== undefined || !error) && (
        <ServersTable rows={rows} list={list} selection={selection} waiting={isPlaceholderData} empty={<NoServers list={list} />} />
      )}
      {data && (
        <Pager
          meta={data.meta}
          first={data.data[0]?.public_id}
          last={data.data.at(-1)?.public_id}
          count={data.data.length}
          noun="servers"
          waiting={isPlaceholderData}
          onTurn={list.turn}
          onSize={(size) => list.change({ per_page: size })}
        />
      )}
      <ServersBulk selection={selection} />
      {open !== undefined && <ServerPanel id={open} row={rows?.find(({ public_id: id }) => id === open)} onClose={list.close} />}
    </>
  )
}

function NoServers({ list }: { list: ServersList }) {
  if (!isNarrowed(list.state)) return <EmptyState title="No servers yet">Whoever creates a server finds it here.</EmptyState>
  return (
    <EmptyState title="No server fits" action={<Button onClick={() => list.change(WIDE)}>Show all servers</Button>}>
      The search looks through names, public and vanity ids, addresses, and their owners’ Discord names and ids. Take a filter away, or look
      for less.
    </EmptyState>
  )
}
