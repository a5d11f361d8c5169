import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CheckCheck, Settings } from 'lucide-react'
import type { Notification } from '#contract/webhooks/notifications.ts'
import { m } from '#messages'
import { IconButton } from '#web/ui/button.tsx'
import { NotificationItem } from './notification-item.tsx'
import { NoNotifications, NotificationsByDay, NotificationSection, useInbox } from './notification-list.tsx'
import { markAllRead } from './notifications.api.ts'

/** The first page of the inbox, for a popover. */
export function InboxPanel({ onClose }: { onClose: () => void }) {
  const client = useQueryClient()
  const inbox = useInbox()
  const { notifications = [], markRead, list, onKeyDown } = inbox
  const pinned = notifications.filter((each) => each.pinned)
  const renderItem = (notification: Notification) => (
    <NotificationItem key={notification.id} notification={notification} link={linkOf(notification)} onOpen={onClose} onRead={markRead} />
  )
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- its items take the focus
    <div onKeyDown={onKeyDown} className="contents">
      <div className="flex items-center gap-1 border-b border-line py-2 pr-2 pl-4">
        <h2 tabIndex={-1} data-focus-first className="flex-1 font-semibold outline-none">
          {m.nav_inbox()}
        </h2>
        <IconButton label={m.inbox_mark_all()} onClick={() => void markAllRead(client)}>
          <CheckCheck size={17} aria-hidden="true" />
        </IconButton>
        <Link
          to="/settings/notifications"
          onClick={onClose}
          aria-label={m.inbox_settings()}
          data-tip={m.inbox_settings()}
          className="inline-flex size-9 items-center justify-center rounded-6 text-ink-2 hover:bg-surface-2 hover:text-ink-1 pointer-coarse:size-11"
        >
          <Settings size={17} aria-hidden="true" />
        </Link>
      </div>
      <div ref={list} className="min-h-0 flex-1 overflow-y-auto pb-1">
        {notifications.length === 0 && (
          <div className="p-4">
            <NoNotifications inbox={inbox} />
          </div>
        )}
        {pinned.length > 0 && (
          <NotificationSection title={m.inbox_pinned()} heading="h3">
            {pinned.map(renderItem)}
          </NotificationSection>
        )}
        <NotificationsByDay heading="h3" notifications={notifications.filter((each) => !each.pinned)} renderItem={renderItem} />
      </div>
      <Link
        to="/inbox"
        onClick={onClose}
        className="flex min-h-11 items-center justify-center border-t border-line text-13 font-medium text-accent hover:bg-surface-2 focus-visible:-outline-offset-2"
      >
        {m.inbox_all_notifications()}
      </Link>
    </div>
  )
}

/** Only the page has the buttons that answer a transfer request. */
const linkOf = ({ id, type, pinned, link }: Notification) => (pinned && type === 'transfer.offered' ? `/inbox?item=${id}` : link)
