import type { ActivityEntry } from '#contract/activity.ts'
import { m } from '#messages'

interface Day<E> {
  readonly date: string
  readonly entries: readonly E[]
}

/** Groups entries by day and keeps their order, newest first. */
export function byDay<E extends Pick<ActivityEntry, 'at'>>(entries: readonly E[]): Day<E>[] {
  return Array.from(
    Map.groupBy(entries, ({ at }) => new Date(at).toDateString()),
    ([date, dayEntries]) => ({ date, entries: dayEntries }),
  )
}

const full = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long' })
const withYear = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'long', year: 'numeric' })

/** `Today`, `Yesterday`, else in the browser's locale: `Friday, November 20`, `March 3, 2025`. */
export function dayLabel(date: string, today: string): string {
  if (date === today) return m.activity_today()
  const yesterday = new Date(today)
  yesterday.setDate(yesterday.getDate() - 1)
  if (date === yesterday.toDateString()) return m.activity_yesterday()
  const day = new Date(date)
  return (day.getFullYear() === yesterday.getFullYear() ? full : withYear).format(day)
}
