import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { AdminUser, AdminUserRow } from '#contract/users/users-admin.ts'
import { m } from '#messages'
import { Avatar } from '#web/features/session/avatar.tsx'
import { accountIdLabel } from '#web/features/session/identity-labels.ts'
import { formatNumber } from '#web/lib/format.ts'
import { isStatus } from '#web/lib/http/call.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { CopiedFact, Fact, Facts, PanelPending, PanelStale, SidePanel, useMissingRow } from '#web/ui/table/side-panel.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { adminUserOptions } from './admin-user.api.ts'
import { BanActions, UserStatusNotes } from './user-status.tsx'
import { UserTier } from './users-table.tsx'

interface UserPanelProps {
  id: string
  /** Shown until the details have loaded. */
  row: AdminUserRow | undefined
  myId: string
  onClose: () => void
}

export function UserPanel({ id, row, myId, onClose }: UserPanelProps) {
  const { data, error, refetch } = useQuery({ ...adminUserOptions(id), refetchOnMount: 'always', retryOnMount: true })
  const user: PanelUser | undefined = data ?? row
  const isMissing = user === undefined && isStatus(error, 404)
  useMissingRow(isMissing, m.users_panel_missing(), onClose)
  if (isMissing) return null
  return (
    <SidePanel
      id={id}
      onClose={onClose}
      title={
        <span className="flex items-center gap-3">
          {user && <Avatar user={user.discord} />}
          {user?.discord.username ?? m.users_user()}
        </span>
      }
    >
      {user ? (
        <>
          <PanelStale error={error} onRetry={() => void refetch()} missingText={m.users_panel_erased()} />
          <Details key={id} user={user} isSelf={id === myId} />
        </>
      ) : (
        <PanelPending error={error} onRetry={() => void refetch()} />
      )}
    </SidePanel>
  )
}

type PanelUser = Omit<AdminUserRow, 'servers'> & Partial<Pick<AdminUser, 'masterListTokens' | 'gived_managements'>>

const MAX_SERVERS = 6

function Details({ user, isSelf }: { user: PanelUser; isSelf: boolean }) {
  const { masterListTokens: servers, gived_managements: managers } = user
  return (
    <>
      <div className="mt-4 overflow-hidden rounded-6 empty:hidden">
        <UserStatusNotes user={user} />
      </div>
      <Facts>
        <Fact label={m.tiers_tier()}>
          <UserTier user={user} />
        </Fact>
        <CopiedFact
          label={accountIdLabel(user.discord.discord_id)}
          text={user.discord.discord_id}
          copyNoun={accountIdLabel(user.discord.discord_id)}
        />
        <Fact label={m.nav_managers()}>{managers ? usageText(managers.length, user.max_managers) : '…'}</Fact>
        <Fact label={m.common_open_issues()}>
          {user.open_issues === 0 ? m.common_none() : <span className="font-medium text-warn">{user.open_issues}</span>}
        </Fact>
        <Fact label={m.users_member_since()}>
          <TimeAgo at={user.created_at} />
        </Fact>
        <Fact label={m.users_last_sign_in()}>
          <TimeAgo at={user.signed_in_at} />
        </Fact>
        <Fact label={m.nav_servers()}>{servers ? usageText(servers.length, user.max_masterlist_tokens) : '…'}</Fact>
      </Facts>
      {servers !== undefined && servers.length > 0 && (
        <ul aria-label={m.nav_servers()} className="mt-3 space-y-1 text-13">
          {servers.slice(0, MAX_SERVERS).map(({ public_id, name, listing }) => (
            <li key={public_id} className="flex items-baseline justify-between gap-3">
              <Link to={`/admin/servers/${public_id}` as string} className="min-w-0 truncate text-accent hover:underline">
                {name}
              </Link>
              <span className="shrink-0 text-12 text-ink-3">{listing.listed ? m.users_panel_listed() : m.users_panel_not_listed()}</span>
            </li>
          ))}
          {servers.length > MAX_SERVERS && <li className="text-ink-3">{m.users_panel_more({ count: servers.length - MAX_SERVERS })}</li>}
        </ul>
      )}
      <div className="mt-6 flex flex-wrap gap-2">
        <Link to="/admin/users/$user_id" params={{ user_id: user.id }} className={buttonClass('primary')}>
          {m.users_panel_open()}
        </Link>
        <BanActions user={user} isSelf={isSelf} />
      </div>
    </>
  )
}

function usageText(used: number, max: number): string {
  const text = used > max ? m.users_limit_used_over : m.users_limit_used
  return text({ used: formatNumber(used), max: formatNumber(max) })
}
