import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { meOptions } from '#web/features/session/session.api.ts'
import { BulkBan } from '#web/features/users/admin/bulk-ban.tsx'
import { UserFilters } from '#web/features/users/admin/user-filters.tsx'
import { UserPanel } from '#web/features/users/admin/user-panel.tsx'
import { adminUsersOptions, useUsersList } from '#web/features/users/admin/users-list.ts'
import { UsersTable } from '#web/features/users/admin/users-table.tsx'
import { messageOf } from '#web/lib/http-error.ts'
import { useTitle } from '#web/lib/use-title.ts'
import '#web/ui/mono.css'
import { RetryNote } from '#web/ui/note.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Pager } from '#web/ui/table/pager.tsx'
import { useLastPage } from '#web/ui/table/use-list.ts'
import { useSelection } from '#web/ui/table/use-selection.ts'

/** All people, to be searched, narrowed and looked after. */
export function AdminUsersPage() {
  useTitle('Users')
  const list = useUsersList()
  const { search, tiers, benefits, banned, pending_deletion: leaving, open } = list.state
  const { data: me } = useSuspenseQuery(meOptions)
  const { data, dataUpdatedAt, error, isPlaceholderData, refetch } = useQuery(adminUsersOptions(list.state))
  const rows = data?.data
  useLastPage(data?.meta, rows?.length ?? 0, list)
  const selection = useSelection(rows ?? [], (user) => user.id, JSON.stringify([search, tiers, benefits, banned, leaving]))
  const narrowed = search !== '' || tiers.length + benefits.length > 0 || banned !== undefined || leaving !== undefined
  return (
    <>
      <PageHeader title="Users" />
      <UserFilters list={list} narrowed={narrowed} />
      {error && (
        <div className="mb-3">
          <RetryNote onRetry={() => void refetch()}>{messageOf(error)}</RetryNote>
        </div>
      )}
      {(data !== undefined || !error) && (
        <UsersTable rows={rows} list={list} selection={selection} waiting={isPlaceholderData} narrowed={narrowed} />
      )}
      {data && (
        <Pager
          meta={data.meta}
          first={data.data[0]?.id}
          last={data.data.at(-1)?.id}
          count={data.data.length}
          noun="users"
          waiting={isPlaceholderData}
          onTurn={list.turn}
          onSize={(size) => list.change({ per_page: size })}
        />
      )}
      <BulkBan selection={selection} myId={me.id} />
      {open !== undefined && (
        <UserPanel id={open} row={rows?.find(({ id }) => id === open)} rowAt={dataUpdatedAt} myId={me.id} onClose={list.close} />
      )}
    </>
  )
}
