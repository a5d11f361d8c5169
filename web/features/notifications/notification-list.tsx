import { Inbox, MailCheck } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import type { Notification } from '#contract/webhooks/notifications.ts'
import { m } from '#messages'
import { byDay, dayLabel } from '#web/features/activity/days.ts'
import { messageOf } from '#web/lib/http/http-error.ts'
import { localDay } from '#web/lib/local-minute.ts'
import { useNow } from '#web/lib/time.ts'
import { cx } from '#web/ui/class-names.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { RetryNote } from '#web/ui/note.tsx'
import { SkeletonRows } from '#web/ui/skeleton.tsx'
import type { useInbox } from './use-inbox.ts'

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
