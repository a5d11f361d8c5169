import { type ReactNode, useId } from 'react'
import type { Notification } from '#contract/notifications.ts'
import { m } from '#messages'
import { byDay, dayLabel } from '#web/features/activity/days.ts'
import { localDay } from '#web/lib/local-minute.ts'
import { useNow } from '#web/lib/time.ts'

interface NotificationSectionProps {
  title: string
  children: ReactNode
}

function NotificationSection({ title, children }: NotificationSectionProps) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className="px-4 pt-3.5 pb-1 text-12 font-medium text-ink-3">
        {title}
      </h3>
      <ul className="divide-y divide-line">{children}</ul>
    </section>
  )
}

interface NotificationListProps {
  notifications: readonly Notification[]
  renderItem: (notification: Notification) => ReactNode
}

/** What needs an answer. */
export function PinnedNotifications({ notifications, renderItem }: NotificationListProps) {
  if (notifications.length === 0) return null
  return <NotificationSection title={m.inbox_pinned()}>{notifications.map(renderItem)}</NotificationSection>
}

export function NotificationsByDay({ notifications, renderItem }: NotificationListProps) {
  const today = localDay(useNow())
  return byDay(notifications).map(({ date, entries }) => (
    <NotificationSection key={date} title={dayLabel(date, today)}>
      {entries.map(renderItem)}
    </NotificationSection>
  ))
}
