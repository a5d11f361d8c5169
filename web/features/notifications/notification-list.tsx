import { type ReactNode, useId } from 'react'
import type { Notification } from '#contract/webhooks/notifications.ts'
import { m } from '#messages'
import { byDay, dayLabel } from '#web/features/activity/days.ts'
import { localDay } from '#web/lib/local-minute.ts'
import { useNow } from '#web/lib/time.ts'

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

interface NotificationListProps extends Pick<NotificationSectionProps, 'heading'> {
  notifications: readonly Notification[]
  renderItem: (notification: Notification) => ReactNode
}

/** What needs an answer. */
export function PinnedNotifications({ notifications, heading, renderItem }: NotificationListProps) {
  if (notifications.length === 0) return null
  return (
    <NotificationSection title={m.inbox_pinned()} heading={heading}>
      {notifications.map(renderItem)}
    </NotificationSection>
  )
}

export function NotificationsByDay({ notifications, heading, renderItem }: NotificationListProps) {
  const today = localDay(useNow())
  return byDay(notifications).map(({ date, entries }) => (
    <NotificationSection key={date} title={dayLabel(date, today)} heading={heading}>
      {entries.map(renderItem)}
    </NotificationSection>
  ))
}
