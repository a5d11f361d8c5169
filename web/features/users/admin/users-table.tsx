/** The list of all users: its columns, search parameters, query and export. */
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { Shield } from 'lucide-react'
import { BENEFITS } from '#contract/benefits/benefit-texts.ts'
import { BENEFIT_KEYS, TIER_IDS, TIERS } from '#contract/benefits/benefits.ts'
import type { AdminUserRow } from '#contract/users/users-admin.ts'
import { m } from '#messages'
import { Avatar } from '#web/features/session/avatar.tsx'
import { isAdmin } from '#web/features/session/session.api.ts'
import { TierName } from '#web/features/users/tier-name.tsx'
import { type Cell, downloadCsv } from '#web/lib/csv.ts'
import { formatNumber } from '#web/lib/format.ts'
import { call } from '#web/lib/http/call.ts'
import { anyOf, defineList, oneOf, queryOf } from '#web/lib/url/list-search.ts'
import { counted } from '#web/ui/count-text.ts'
import { WarnNote } from '#web/ui/states.tsx'
import { BulkBar, type BulkTarget } from '#web/ui/table/bulk-bar.tsx'
import { BulkBanDialog, BulkDialog } from '#web/ui/table/bulk-dialog.tsx'
import type { ListFilter } from '#web/ui/table/filter-bar.tsx'
import { neverStale } from '#web/ui/table/list-query.ts'
import { type Column, CountCell, NoneCell, RowTitle, type Selection, TimeCell } from '#web/ui/table/list-table.tsx'
import { banUser, USER_BAN_REASONS, UserStatus } from './user-status.tsx'

export const USER_COLUMNS: readonly Column<AdminUserRow>[] = [
  {
    id: 'username',
    header: m.users_user(),
    cell: ({ row: { id, original: user } }) => (
      <RowTitle
        id={id}
        href={`/admin/users/${id}`}
        icon={<Avatar user={user.discord} />}
        name={user.discord.username}
        badges={isAdmin(user) && <AdminBadge />}
        subtitle={<span className="font-mono">{user.discord.discord_id}</span>}
      />
    ),
  },
  {
    id: 'tier',
    header: m.tiers_tier(),
    cell: ({ row }) => <UserTier user={row.original} />,
    meta: { className: 'whitespace-nowrap min-[1300px]:w-52' },
  },
  {
    id: 'servers',
    header: m.nav_servers(),
    cell: ({ row: { original: user } }) => (
      <>
        <span className={user.servers > user.max_masterlist_tokens ? 'text-warn' : 'text-ink-1'}>{formatNumber(user.servers)}</span>
        <span className="text-ink-3"> / {formatNumber(user.max_masterlist_tokens)}</span>
      </>
    ),
    meta: { alignEnd: true, className: 'whitespace-nowrap tabular-nums min-[1300px]:w-24' },
  },
  {
    id: 'issues',
    header: m.common_issues(),
    cell: ({ row }) => <CountCell count={row.original.open_issues} />,
    meta: { alignEnd: true, className: 'tabular-nums min-[1300px]:w-20' },
  },
  {
    id: 'status',
    header: m.common_status(),
    cell: ({ row }) => <UserStatus user={row.original} />,
    meta: { className: 'min-[1300px]:w-44' },
  },
  {
    id: 'created_at',
    header: m.users_member_since(),
    cell: ({ row }) => <TimeCell at={row.original.created_at} />,
    meta: { className: 'whitespace-nowrap text-ink-2 min-[1300px]:w-32' },
  },
  {
    id: 'signed_in_at',
    header: m.users_last_sign_in(),
    cell: ({ row }) => <TimeCell at={row.original.signed_in_at} />,
    meta: { className: 'whitespace-nowrap text-ink-2 lg:max-[1299px]:hidden min-[1300px]:w-32' },
  },
]

const yesNo = (yes: string, no: string) => [
  { value: 'true', label: yes },
  { value: 'false', label: no },
]

export const USER_FILTERS: readonly ListFilter<AdminUserRow, keyof typeof usersList.filters>[] = [
  { name: 'tiers', label: m.tiers_tier(), options: TIER_IDS.map((value) => ({ value, label: TIERS[value].name })) },
  { name: 'benefits', label: m.users_list_benefit(), options: BENEFIT_KEYS.map((value) => ({ value, label: BENEFITS[value].name() })) },
  { name: 'banned', label: m.common_ban(), options: yesNo(m.common_banned(), m.common_not_banned()) },
  { name: 'pending_deletion', label: m.users_list_deletion(), options: yesNo(m.users_deletion_pending(), m.users_deletion_none()) },
]

function AdminBadge() {
  return (
    <Shield
      size={14}
      className="relative shrink-0 text-(--hue-red)"
      role="img"
      aria-label={m.users_administrator()}
      data-tip={m.users_administrator()}
    />
  )
}

export function UserTier({ user }: { user: Pick<AdminUserRow, 'active_tier' | 'is_tier_forced'> }) {
  if (user.active_tier === null) return <NoneCell>{m.common_none()}</NoneCell>
  return (
    <span className="inline-flex items-center gap-1.5">
      <TierName tier={user.active_tier} />
      {user.is_tier_forced && <span className="text-12 text-ink-3 lg:max-[1299px]:sr-only">{m.users_tier_override()}</span>}
    </span>
  )
}

/** Your own account is never banned in bulk. */
export function BulkBanUsers({ selection, myId }: { selection: Selection<AdminUserRow>; myId: string }) {
  const client = useQueryClient()
  const { rows } = selection
  const others = rows.filter(({ id }) => id !== myId)
  return (
    <BulkBar
      selection={selection}
      countText={m.count_users}
      actions={[
        {
          label: m.users_ban_many_ask(),
          isDanger: true,
          rows: others,
          dialog: (target) => <BanMany {...target} isSelfSelected={others.length < rows.length} />,
        },
        {
          label: m.common_ban_lift_many_ask(),
          rows: rows.filter(({ banned }) => banned),
          dialog: (target) => <LiftMany {...target} />,
        },
      ]}
      onDone={() => void client.invalidateQueries({ queryKey: ['admin'] })}
    />
  )
}

function BanMany({ isSelfSelected, ...target }: BulkTarget<AdminUserRow> & { isSelfSelected: boolean }) {
  const admins = target.rows.filter(isAdmin).length
  const banned = target.rows.filter((row) => row.banned).length
  const items = m.count_users(counted(target.rows.length))
  return (
    <BulkBanDialog
      {...target}
      resultText={m.users_bulk_banned}
      title={m.common_ban_title({ name: items })}
      confirm={m.common_ban_many({ items })}
      reasons={USER_BAN_REASONS}
      hint={m.users_bulk_ban_reason_hint()}
      ban={({ id }, { reason, banned_until }) => banUser(id, { banned: true, banReason: reason, banned_until })}
    >
      <p>
        {m.users_bulk_ban_explained()}
        {banned > 0 && ` ${m.common_ban_many_existing(counted(banned))}`}
      </p>
      {admins > 0 && <WarnNote>{m.users_bulk_ban_admins(counted(admins))}</WarnNote>}
      {isSelfSelected && <p>{m.users_bulk_ban_self()}</p>}
    </BulkBanDialog>
  )
}

function LiftMany(target: BulkTarget<AdminUserRow>) {
  return (
    <BulkDialog
      {...target}
      resultText={m.users_bulk_lifted}
      title={m.common_ban_lift_many_title({ items: m.count_users(counted(target.rows.length)) })}
      confirm={m.common_ban_lift_many()}
      action={({ id }) => banUser(id, { banned: false })}
    >
      <p>{m.users_bulk_lift_explained()}</p>
    </BulkDialog>
  )
}

export const usersList = defineList({
  sorts: { created_at: 'desc', username: 'asc', signed_in_at: 'desc' },
  filters: {
    tiers: anyOf(TIER_IDS),
    benefits: anyOf(BENEFIT_KEYS),
    banned: oneOf(['true', 'false']),
    pending_deletion: oneOf(['true', 'false']),
  },
})

export const adminUsersOptions = (state: ReturnType<typeof usersList.read>) => {
  const query = queryOf(state)
  return queryOptions({
    ...neverStale,
    queryKey: ['admin', 'users', 'list', query],
    queryFn: ({ signal }) => call('GET /api/admin/users', { query, signal, fullBody: true }),
  })
}

/** Of the CSV file. Times are in UTC (ISO 8601). */
const COLUMNS: Readonly<Record<string, (user: AdminUserRow) => Cell>> = {
  id: ({ id }) => id,
  discord_id: ({ discord }) => discord.discord_id,
  username: ({ discord }) => discord.username,
  tier: ({ active_tier: tier }) => tier,
  tier_forced: ({ is_tier_forced: isForced }) => (isForced ? 'yes' : 'no'),
  servers: ({ servers }) => servers,
  max_servers: ({ max_masterlist_tokens: max }) => max,
  open_issues: ({ open_issues: open }) => open,
  banned: ({ banned }) => (banned ? 'yes' : 'no'),
  deletion: ({ delete_at: at }) => at,
  created: ({ created_at: at }) => at,
  last_sign_in: ({ signed_in_at: at }) => at,
}

export const downloadUsers = (users: readonly AdminUserRow[]) => downloadCsv(users, COLUMNS, m.users_csv_name)
