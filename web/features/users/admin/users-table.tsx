import { Shield } from 'lucide-react'
import type { AdminUserRow } from '#contract/users/users-admin.ts'
import { m } from '#messages'
import { Avatar } from '#web/features/session/avatar.tsx'
import { isAdmin } from '#web/features/session/is-admin.ts'
import { TierName } from '#web/features/users/tier-name.tsx'
import { formatNumber } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { type Column, CountCell, DataTable, type RowTitle, type TableProps, TimeCell } from '#web/ui/table/data-table.tsx'
import { UserStatus } from './user-status.tsx'
import type { UsersList } from './users-list.tsx'

const titleOf = (user: AdminUserRow): RowTitle => ({
  icon: <Avatar user={user.discord} />,
  name: user.discord.username,
  badges: isAdmin(user) && (
    <Shield
      size={14}
      className="relative shrink-0 text-(--hue-red)"
      role="img"
      aria-label={m.users_administrator()}
      data-tip={m.users_administrator()}
    />
  ),
  subtitle: <span className="font-mono">{user.discord.discord_id}</span>,
})

const COLUMNS: readonly Column<AdminUserRow>[] = [
  {
    key: 'tier',
    title: m.tiers_tier(),
    className: 'whitespace-nowrap min-[1300px]:w-52',
    isEmpty: ({ active_tier: tier }) => tier === null,
    cell: (user) => <UserTier user={user} />,
  },
  {
    key: 'servers',
    title: m.nav_servers(),
    alignEnd: true,
    className: 'whitespace-nowrap tabular-nums min-[1300px]:w-24',
    cell: (user) => (
      <>
        <span className={user.servers > user.max_masterlist_tokens ? 'text-warn' : 'text-ink-1'}>{formatNumber(user.servers)}</span>
        <span className="text-ink-3"> / {formatNumber(user.max_masterlist_tokens)}</span>
      </>
    ),
  },
  {
    key: 'issues',
    title: m.common_issues(),
    alignEnd: true,
    className: 'tabular-nums min-[1300px]:w-20',
    isEmpty: ({ open_issues: open }) => open === 0,
    cell: ({ open_issues: open }) => <CountCell count={open} />,
  },
  {
    key: 'status',
    title: m.common_status(),
    className: 'min-[1300px]:w-44',
    isEmpty: ({ banned, delete_at: deleteAt }) => !banned && deleteAt === null,
    cell: (user) => <UserStatus user={user} />,
  },
  {
    key: 'created_at',
    title: m.users_member_since(),
    sort: 'created_at',
    className: 'whitespace-nowrap text-ink-2 min-[1300px]:w-32',
    cell: (user) => <TimeCell at={user.created_at} />,
  },
  {
    key: 'signed_in_at',
    title: m.users_last_sign_in(),
    sort: 'signed_in_at',
    className: 'whitespace-nowrap text-ink-2 lg:max-[1299px]:hidden min-[1300px]:w-32',
    cell: (user) => <TimeCell at={user.signed_in_at} />,
  },
]

export function UserTier({ user }: { user: Pick<AdminUserRow, 'active_tier' | 'is_tier_forced'> }) {
  if (user.active_tier === null) return <span className="text-ink-3">{m.common_none()}</span>
  return (
    <span className="inline-flex items-center gap-1.5">
      <TierName tier={user.active_tier} />
      {user.is_tier_forced && <span className="text-12 text-ink-3 lg:max-[1299px]:sr-only">{m.users_tier_override()}</span>}
    </span>
  )
}

export function UsersTable({ list, ...props }: Omit<TableProps<AdminUserRow>, 'empty'> & { list: UsersList }) {
  return (
    <DataTable
      {...props}
      list={list}
      label={m.nav_users()}
      idOf={(user) => user.id}
      titleOf={titleOf}
      titleColumn={{ title: m.users_user(), sort: 'username' }}
      hrefOf={(user) => `/admin/users/${user.id}`}
      columns={COLUMNS}
      empty={
        <EmptyState
          title={list.isFiltered ? m.users_list_none() : m.users_list_empty()}
          action={list.isFiltered ? <Button onClick={list.clearFilters}>{m.users_list_show_all()}</Button> : undefined}
        >
          {list.isFiltered ? m.users_list_none_hint() : m.users_list_empty_hint()}
        </EmptyState>
      }
    />
  )
}
