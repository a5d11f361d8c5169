import { Inbox, MailCheck } from 'lucide-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react'
import type { Notification } from '#contract/webhooks/notifications.ts'
import { m } from '#messages'
import { byDay, dayLabel } from '#web/features/activity/days.ts'
import { areHotkeysOn, useHotkeys } from '#web/lib/hotkeys.ts'
import { messageOf } from '#web/lib/http/call.ts'
import { localDay, useNow } from '#web/lib/time.ts'
import { cx } from '#web/ui/class-names.ts'
import { EmptyState, RetryNote, SkeletonRows } from '#web/ui/note.tsx'
import { inboxOptions, useMarkRead } from './notifications.api.ts'

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

export function NotificationSection({ title, heading: Heading, children }: NotificationSectionProps) {
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
