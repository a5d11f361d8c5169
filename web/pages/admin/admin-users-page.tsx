import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import type { AdminUserRow } from '#contract/users/users-admin.ts'
import { m } from '#messages'
import { meOptions } from '#web/features/session/session.api.ts'
import { BulkBanUsers } from '#web/features/users/admin/bulk-ban.tsx'
import { UserPanel } from '#web/features/users/admin/user-panel.tsx'
import { adminUsersOptions, UserFilters, usersList } from '#web/features/users/admin/users-list.tsx'
import { downloadUsers } from '#web/features/users/admin/users-csv.ts'
import { UsersTable } from '#web/features/users/admin/users-table.tsx'
import '#web/ui/mono.css'
import { ListPage } from '#web/ui/table/list-page.tsx'
import { useList } from '#web/ui/table/use-list.ts'
import { useSelection } from '#web/ui/table/use-selection.ts'

const idOf = (user: AdminUserRow): string => user.id

export function AdminUsersPage() {
  const list = useList(usersList)
  const { open } = list.state
  const { data: me } = useSuspenseQuery(meOptions)
  const query = useQuery(adminUsersOptions(list.state))
  const rows = query.data?.data
  const selection = useSelection(rows ?? [], idOf, list.filterKey)
  return (
    <ListPage
      title={m.nav_users()}
      list={list}
      query={query}
      idOf={idOf}
      countText={m.count_users}
      onExport={downloadUsers}
      filters={<UserFilters list={list} />}
      table={<UsersTable rows={rows} list={list} selection={selection} waiting={query.isPlaceholderData} />}
    >
      <BulkBanUsers selection={selection} myId={me.id} />
      {open !== undefined && (
        <UserPanel
          id={open}
          row={rows?.find((row) => idOf(row) === open)}
          rowFetchedAt={query.dataUpdatedAt}
          myId={me.id}
          onClose={list.close}
        />
      )}
    </ListPage>
  )
}
