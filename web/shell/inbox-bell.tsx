import { useInfiniteQuery } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { Bell } from 'lucide-react'
import { useState } from 'react'
import { m } from '#messages'
import { InboxPanel } from '#web/features/notifications/inbox-panel.tsx'
import { inboxOptions } from '#web/features/notifications/notifications.api.ts'
import { UnreadWatcher } from '#web/features/notifications/unread-watcher.tsx'
import { cx } from '#web/ui/class-names.ts'
import { counted } from '#web/ui/count-text.ts'
import { Popover } from '#web/ui/popover.tsx'
import { NAV_ACTIVE, NAV_ITEM, NavContent, NavLink } from './nav-link.tsx'

const MAX_SHOWN = 9

/** In the rail, a button that opens the inbox as a panel. In the bottom bar, a link to its page. */
export function InboxBell() {
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
