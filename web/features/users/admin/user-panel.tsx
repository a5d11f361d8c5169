import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { AdminUser, AdminUserRow } from '#contract/users-admin.ts'
import { Avatar } from '#web/features/session/avatar.tsx'
import { isStatus } from '#web/lib/http-error.ts'
import { useFocusAfterUnban } from '#web/lib/use-focus-after-unban.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { CopiedFact, Fact, Facts, PanelPending, PanelStale, panelTitle, SidePanel, useMissingRow } from '#web/ui/table/side-panel.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { adminUserOptions } from './admin-user.api.ts'
import { BanButtons } from './ban-user.tsx'
import { UserStatusNotes } from './user-status.tsx'
import { UserTier } from './users-table.tsx'

interface UserPanelProps {
  id: string
  /** What the list knows, shown until the rest is there. */
  row: AdminUserRow | undefined
  rowAt: number
  myId: string
  onClose: () => void
}

export function UserPanel({ id, row, rowAt, myId, onClose }: UserPanelProps) {
  const options = { ...adminUserOptions(id), refetchOnMount: 'always', staleTime: 0, retryOnMount: true } as const
  const { data, dataUpdatedAt, error, refetch } = useQuery(options)
  // Nothing older than what the list shows.
  const user: Known | undefined = data && row && rowAt > dataUpdatedAt ? { ...data, ...standingOf(row) } : (data ?? row)
  const gone = user === undefined && isStatus(error, 404)
  useMissingRow(gone, 'There is no such user any more', onClose)
  if (gone) return null
  return (
    <SidePanel
      id={id}
      onClose={onClose}
      title={
        <span className="flex items-center gap-3">
          {user && <Avatar user={user.discord} />}
          {user?.discord.username ?? 'User'}
        </span>
      }
    >
      {user ? (
        <>
          <PanelStale error={error} onRetry={() => void refetch()} gone="This account has been erased meanwhile." />
          <Details key={id} user={user} isSelf={id === myId} />
        </>
      ) : (
        <PanelPending error={error} onRetry={() => void refetch()} />
      )}
    </SidePanel>
  )
}

type Known = Omit<AdminUserRow, 'servers'> & Partial<Pick<AdminUser, 'masterListTokens' | 'gived_managements'>>

/** A ban that was lifted, and a reason that was taken away, are left out: that has to be said over what was known. */
function standingOf({ servers: _servers, ...row }: AdminUserRow): Known {
  return { ban_reason: undefined, banned_until: undefined, ...row }
}

const SHOWN = 6

function Details({ user, isSelf }: { user: Known; isSelf: boolean }) {
  const { masterListTokens: servers, gived_managements: managers } = user
  useFocusAfterUnban(user.banned, panelTitle)
  return (
    <>
      <div className="mt-4 overflow-hidden rounded-6 empty:hidden">
        <UserStatusNotes user={user} />
      </div>
      <Facts>
        <Fact label="Tier">
          <UserTier user={user} />
        </Fact>
        <CopiedFact label="Discord id" text={user.discord.discord_id} copies="Discord id" />
        <Fact label="Managers">{managers ? usedOf(managers.length, user.max_managers) : '…'}</Fact>
        <Fact label="Open issues">
          {user.open_issues === 0 ? 'none' : <span className="font-medium text-warn">{user.open_issues}</span>}
        </Fact>
        <Fact label="Member since">
          <TimeAgo at={user.created_at} />
        </Fact>
        <Fact label="Signed in">
          <TimeAgo at={user.signed_in_at} />
        </Fact>
        <Fact label="Servers">{servers ? usedOf(servers.length, user.max_masterlist_tokens) : '…'}</Fact>
      </Facts>
      {servers !== undefined && servers.length > 0 && (
        <ul aria-label="Servers" className="mt-3 space-y-1 text-13">
          {servers.slice(0, SHOWN).map(({ public_id, name, listing }) => (
            <li key={public_id} className="flex items-baseline justify-between gap-3">
              <Link to={`/admin/servers/${public_id}` as string} className="min-w-0 truncate text-accent hover:underline">
                {name}
              </Link>
              <span className="shrink-0 text-12 text-ink-3">{listing.listed ? 'on the list' : 'not listed'}</span>
            </li>
          ))}
          {servers.length > SHOWN && <li className="text-ink-3">and {servers.length - SHOWN} more</li>}
        </ul>
      )}
      <div className="mt-6 flex flex-wrap gap-2">
        <Link to="/admin/users/$user_id" params={{ user_id: user.id }} className={buttonClass('primary')}>
          Open the page
        </Link>
        <BanButtons user={user} isSelf={isSelf} />
      </div>
    </>
  )
}

/** Over a lower limit everything stays. */
function usedOf(used: number, max: number): string {
  return used > max ? `${used}, ${max} allowed` : `${used} of ${max}`
}
