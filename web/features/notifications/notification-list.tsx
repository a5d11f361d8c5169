import { Inbox, MailCheck, CheckCheck, Settings } from 'lucide-react'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react'
import { Link } from '@tanstack/react-router'
import type { Notification } from '#contract/webhooks/notifications.ts'
import { m } from '#messages'
import { byDay, dayLabel } from '#web/features/activity/days.ts'
import { areHotkeysOn, useHotkeys } from '#web/lib/hotkeys.ts'
import { messageOf } from '#web/lib/http/call.ts'
import { localDay, useNow } from '#web/lib/time.ts'
import { cx } from '#web/ui/class-names.ts'
import { EmptyState, RetryNote, SkeletonRows } from '#web/ui/states.tsx'
import { IconButton } from '#web/ui/button.tsx'
import { inboxOptions, useMarkRead, markAllRead } from './notifications.api.ts'
import { NotificationItem } from './notification-item.tsx'

/** The notifications. j, k and the arrow keys move the focus between them. e and r mark the focused one as read. Enter follows its link. */
export function useInbox(onlyUnread = false) {
  const query = useInfiniteQuery(inboxOptions(onlyUnread))
  const markRead = useMarkRead()
  const notifications = query.data?.notifications
  const list = useRef<HTMLDivElement>(null)
  const items = () => [...(list.current?.querySelectorAll<HTMLElement>('[data-item]') ?? [])]
  const current = () => document.activeElement?.closest<HTMLElement>('[data-item]') ?? null
  const move = (step: 1 | -1) => {
    const all = items()
    const index = all.indexOf(current() as HTMLElement)
    const next = index === -1 ? all.at(step === 1 ? 0 : -1) : all[index + step]
    next?.querySelector<HTMLElement>('[data-item-focus]')?.focus()
  }
  const read = () => {
    const id = current()?.dataset['item']
    if (id === undefined) return
    // In the list of unread ones, the item disappears.
    move(1)
    markRead(notifications?.filter((each) => each.id === id) ?? [])
  }
  const letters = { j: () => move(1), k: () => move(-1), e: read, r: read }
  // For a focus outside of the list. An open panel handles its own keys.
  useHotkeys(letters)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    // React also sends the keys of an item's dialog here.
    if (!event.currentTarget.contains(event.target as Node)) return
    const actions = { ArrowDown: () => move(1), ArrowUp: () => move(-1), ...(areHotkeysOn() && letters) }
    const action: (() => void) | undefined = actions[event.key as keyof typeof actions]
    if (!action) return
    event.preventDefault()
    action()
  }
  return { query, notifications, markRead, list, onKeyDown }
}

interface NoNotificationsProps {
  inbox: ReturnType<typeof useInbox>
  onlyUnread?: boolean
  /** Of the skeleton. */
  className?: string
}

/** In place of notifications: they load, could not be loaded, or there are none. */
export function NoNotifications({ inbox: { query, notifications }, onlyUnread = false, className }: NoNotificationsProps) {
  if (notifications) {
    const Icon = onlyUnread ? MailCheck : Inbox
    return (
      <EmptyState
        icon={<Icon size={28} strokeWidth={1.5} aria-hidden="true" />}
        title={onlyUnread ? m.inbox_empty_unread() : m.inbox_empty()}
      >
        {onlyUnread ? m.inbox_empty_unread_hint() : m.inbox_empty_hint()}
      </EmptyState>
    )
  }
  if (query.error) return <RetryNote onRetry={() => void query.refetch()}>{messageOf(query.error)}</RetryNote>
  return (
    <div role="status" aria-label={m.inbox_loading()} className={cx('space-y-5', className)}>
      <SkeletonRows rows={6} />
    </div>
  )
}

interface NotificationSectionProps {
  title: string
  /** The inbox page's sections are below its h1, those of the panel below its h2. */
  heading: 'h2' | 'h3'
  children: ReactNode
}

function NotificationSection({ title, heading: Heading, children }: NotificationSectionProps) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <Heading id={id} className="px-4 pt-3.5 pb-1 text-12 font-medium text-ink-3">
        {title}
      </Heading>
      <ul className="divide-y divide-line">{children}</ul>
    </section>
  )
}

interface NotificationsByDayProps extends Pick<NotificationSectionProps, 'heading'> {
  notifications: readonly Notification[]
  renderItem: (notification: Notification) => ReactNode
}

export function NotificationsByDay({ notifications, heading, renderItem }: NotificationsByDayProps) {
  const today = localDay(useNow())
  return byDay(notifications).map(({ date, entries }) => (
    <NotificationSection key={date} title={dayLabel(date, today)} heading={heading}>
      {entries.map(renderItem)}
    </NotificationSection>
  ))
}

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
