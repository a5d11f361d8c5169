import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { m } from '#messages'
import { meOptions } from '#web/features/session/session.api.ts'
import { BulkBanUsers } from '#web/features/users/admin/bulk-ban.tsx'
import { UserPanel } from '#web/features/users/admin/user-panel.tsx'
import { USER_COLUMNS, USER_FILTERS } from '#web/features/users/admin/users-columns.tsx'
import { downloadUsers } from '#web/features/users/admin/users-csv.ts'
import { adminUsersOptions, usersList } from '#web/features/users/admin/users-list.ts'
import '#web/ui/mono.css'
import { ListPage } from '#web/ui/table/list-page.tsx'
import { useList } from '#web/ui/table/use-list.ts'

export function AdminUsersPage() {
  const list = useList(usersList)
  const { data: me } = useSuspenseQuery(meOptions)
  const query = useQuery(adminUsersOptions(list.state))
  return (
    <ListPage
      title={m.nav_users()}
      label={m.nav_users()}
      list={list}
      query={query}
      columns={USER_COLUMNS}
      idOf={({ id }) => id}
      nameOf={({ discord }) => discord.username}
      countText={m.count_users}
      searchLabel={m.users_list_search()}
      placeholder={m.users_list_placeholder()}
      filters={USER_FILTERS}
      empty={{ title: m.users_list_empty(), hint: m.users_list_empty_hint() }}
      noneFound={{ title: m.users_list_none(), hint: m.users_list_none_hint(), showAll: m.users_list_show_all() }}
      onExport={downloadUsers}
      bulkActions={(selection) => <BulkBanUsers selection={selection} myId={me.id} />}
      panel={(open) => <UserPanel {...open} rowFetchedAt={query.dataUpdatedAt} myId={me.id} />}
    />
  )
}
