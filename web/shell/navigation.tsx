import { useQuery, useInfiniteQuery } from '@tanstack/react-query'
import { Link, useRouterState } from '@tanstack/react-router'
import { Download, FlaskConical, Gift, Server as ServerIcon, Settings, Bell } from 'lucide-react'
import { useState } from 'react'
import type { Me } from '#contract/users/users.ts'
import { m } from '#messages'
import { brand } from '#web/lib/brand.ts'
import { aboutOptions } from '#web/features/about/about.api.ts'
import { useHasDownloads } from '#web/features/about/use-has-downloads.ts'
import { serverLink, type ShownServer } from '#web/features/servers/access.ts'
import { ServerStatusIcon } from '#web/features/servers/server-marks.tsx'
import { DEFAULT_SORT, sortServers } from '#web/features/servers/list/list-state.ts'
import { managedGroups } from '#web/features/servers/managed/managed-groups.ts'
import { serverListOptions } from '#web/features/servers/servers.api.ts'
import { Avatar } from '#web/features/session/avatar.tsx'
import { isAdmin } from '#web/features/session/session.api.ts'
import { BrandMark } from '#web/ui/brand.tsx'
import { InboxPanel } from '#web/features/notifications/notification-list.tsx'
import { inboxOptions } from '#web/features/notifications/notifications.api.ts'
import { UnreadWatcher } from '#web/features/notifications/unread-watcher.tsx'
import { cx } from '#web/ui/class-names.ts'
import { counted } from '#web/ui/count-text.ts'
import { Popover } from '#web/ui/popover.tsx'
import { NAV_ACTIVE, NavLink, NAV_ITEM, NavContent } from './nav-link.tsx'
import { AccountMenu } from './account-menu.tsx'
import { AdminNavigation } from './admin-navigation.tsx'

const VERSION = '1.3'
/** More would push the account menu out of view. The servers page lists them all. */
const MAX_SERVERS = 12

/** A rail of 232 px; icons only below 1100 px; a bottom bar below 640 px. */
export function Navigation({ me, onShortcuts }: { me: Me; onShortcuts: () => void }) {
  const { data: about } = useQuery(aboutOptions)
  const hasDownloads = useHasDownloads()
  const isLocal = about?.local_identity === true
  const localSignIn = m.common_local_sign_in()
  const version = m.nav_version({ version: VERSION })
  return (
    <header className="z-20 flex shrink-0 border-line bg-surface-1 max-sm:order-last max-sm:h-15 max-sm:items-center max-sm:justify-between max-sm:gap-2 max-sm:border-t max-sm:px-2 max-[359px]:gap-1 max-[359px]:px-1 print:hidden sm:w-15 sm:flex-col sm:border-r sm:px-2.5 sm:py-4 lg:w-58 lg:px-3">
      <Link
        to="/"
        activeOptions={{ exact: true }}
        className="flex items-center gap-2.5 rounded-6 px-1.5 py-1 max-sm:hidden"
        aria-label={m.nav_brand({ brand: brand.name })}
      >
        <BrandMark size={26} />
        <span className="min-w-0 truncate text-16 font-semibold tracking-[-0.01em] max-lg:hidden">{brand.name}</span>
      </Link>
      <nav
        aria-label={m.nav_main()}
        className="min-h-0 max-sm:flex max-sm:min-w-0 max-sm:flex-1 max-sm:gap-0.5 max-[359px]:gap-0 sm:mt-6 sm:flex-1 lg:overflow-y-auto"
      >
        <InboxBell />
        <ServersLink />
        <RailServers me={me} />
        <NavLink to="/benefits" label={m.nav_benefits()} Icon={Gift} className="sm:mt-1" />
        {hasDownloads && <NavLink to="/downloads" label={m.nav_downloads()} Icon={Download} className="sm:mt-1" />}
        <NavLink to="/settings" label={m.nav_settings()} Icon={Settings} className="sm:mt-1" />
        {isAdmin(me) && <AdminNavigation />}
      </nav>
      <div className="flex items-center gap-2 sm:flex-col sm:items-stretch">
        {isLocal && (
          <p
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- its full text is a tooltip
            tabIndex={0}
            data-tip={localSignIn}
            className="flex items-center gap-2 rounded-6 px-2.5 py-1.5 text-12 text-ink-3 max-lg:justify-center max-lg:px-1.5 max-sm:hidden"
          >
            <FlaskConical size={15} className="shrink-0" aria-hidden="true" />
            <span className="max-lg:sr-only">{localSignIn}</span>
          </p>
        )}
        <AccountMenu me={me} version={version} note={isLocal ? localSignIn : undefined} onShortcuts={onShortcuts} />
        <p className="px-2.5 text-12 text-ink-3 max-lg:hidden">{version}</p>
      </div>
    </header>
  )
}

/** Also highlighted on a server's page if the rail does not show that server. */
function ServersLink() {
  const path = useRouterState({ select: (state) => state.location.pathname })
  const isServerPage = path.startsWith('/servers/') || path.startsWith('/management/')
  return (
    <NavLink
      // Both show the list.
      to={path === '/' ? '/' : '/servers'}
      activeOptions={{ exact: true, includeSearch: false }}
      label={m.nav_servers()}
      Icon={ServerIcon}
      className={isServerPage ? 'text-ink-1 max-lg:bg-surface-2' : undefined}
    />
  )
}

/** In the order of the servers page, as long as that isn't sorted otherwise. */
function RailServers({ me }: { me: Me }) {
  const { data: list } = useQuery(serverListOptions)
  const pins = new Set(list?.pinned)
  const sorted = (servers: readonly ShownServer[]) => sortServers(servers, DEFAULT_SORT, pins)
  const servers = list
    ? [...sorted(list.owned), ...managedGroups(me.recieved_managements, list.management).flatMap((group) => sorted(group.servers))]
    : []
  return (
    <ul className="mt-1 space-y-px pl-4 max-lg:hidden">
      {servers.slice(0, MAX_SERVERS).map((server) => (
        <li key={server.public_id}>
          <Link
            {...serverLink(server)}
            className="flex min-h-8 items-center gap-2 rounded-6 px-2 text-13 text-ink-2 hover:bg-surface-2 hover:text-ink-1"
            activeProps={{ className: NAV_ACTIVE }}
            activeOptions={{ exact: true, includeSearch: false }}
          >
            <ServerStatusIcon server={server} />
            <span className="min-w-0 flex-1 truncate" title={server.name}>
              {server.name}
            </span>
            {server.owner && (
              <span className="shrink-0" data-tip={m.nav_managed_for({ owner: server.owner.discord.username })}>
                <Avatar user={server.owner.discord} size={20} />
                <span className="sr-only">{m.nav_managed_for({ owner: server.owner.discord.username })}</span>
              </span>
            )}
          </Link>
        </li>
      ))}
    </ul>
  )
}

const MAX_SHOWN = 9

/** In the rail, a button that opens the inbox as a panel. In the bottom bar, a link to its page. */
function InboxBell() {
  const count = useInfiniteQuery(inboxOptions()).data?.unread
  const unread = count ?? 0
  const [isOpen, setOpen] = useState(false)
  const isCurrent = useRouterState({ select: ({ location }) => location.pathname === '/inbox' })
  const label = unread > 0 ? m.nav_inbox_unread(counted(unread)) : m.nav_inbox()
  // The count takes no space of its own, so that nothing moves when it appears.
  const badge = unread > 0 && (
    <span
      aria-hidden="true"
      data-count={unread > MAX_SHOWN ? `${MAX_SHOWN}+` : unread}
      className="rounded-full bg-accent px-1.5 text-12 leading-5 font-medium text-on-accent tabular-nums before:content-[attr(data-count)] max-lg:absolute max-lg:top-0.5 max-lg:left-1/2 max-lg:ml-0.5 max-lg:px-1 max-lg:leading-4"
    />
  )
  return (
    <>
      <Popover
        label={m.nav_inbox()}
        isOpen={isOpen}
        onOpenChange={setOpen}
        side="right"
        offset={20}
        className="flex max-h-[min(44rem,calc(100dvh-16px))] w-95 flex-col bg-surface-1"
        trigger={
          <button
            type="button"
            aria-label={label}
            className={cx(NAV_ITEM, 'w-full text-left max-sm:hidden sm:mb-1', (isCurrent || isOpen) && NAV_ACTIVE)}
          >
            <NavContent Icon={Bell} label={m.nav_inbox()}>
              {badge}
            </NavContent>
          </button>
        }
      >
        <InboxPanel onClose={() => setOpen(false)} />
      </Popover>
      <NavLink to="/inbox" label={m.nav_inbox()} aria-label={label} Icon={Bell} className="sm:hidden">
        {badge}
      </NavLink>
      <UnreadWatcher count={count} />
    </>
  )
}

/** The keys that open a page. */
export const PAGE_KEYS = [
  { keys: 'n', to: '/servers/new', text: m.nav_new_server },
  { keys: 'g s', to: '/servers', text: m.shell_shortcuts_servers },
  { keys: 'g i', to: '/inbox', text: m.shell_shortcuts_inbox },
  { keys: 'g b', to: '/benefits', text: m.shell_shortcuts_benefits },
  { keys: 'g d', to: '/downloads', text: m.shell_shortcuts_downloads },
  { keys: 'g t', to: '/settings', text: m.shell_shortcuts_settings },
] as const

/** Those for administrators. */
export const ADMIN_PAGE_KEYS = [
  { keys: 'g l', to: '/admin/servers', text: m.shell_shortcuts_servers_all },
  { keys: 'g u', to: '/admin/users', text: m.shell_shortcuts_users },
  { keys: 'g p', to: '/admin/protection-issues', text: m.shell_shortcuts_issues },
  { keys: 'g a', to: '/admin/audit', text: m.shell_shortcuts_audit },
] as const
