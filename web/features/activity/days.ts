import type { ActivityEntry } from '#contract/activity.ts'

interface Day<E> {
  readonly date: string
  readonly entries: readonly E[]
}

/** Entries of one day together. They come, and stay, newest first. */
export function byDay<E extends Pick<ActivityEntry, 'at'>>(entries: readonly E[]): Day<E>[] {
  return Array.from(
    Map.groupBy(entries, ({ at }) => new Date(at).toDateString()),
    ([date, ofDay]) => ({ date, entries: ofDay }),
  )
}

const full = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long' })
const withYear = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'long', year: 'numeric' })

/** `Today`, `Yesterday`, and then as the reader's browser writes days: `Friday, November 20`, `March 3, 2025`. */
export function dayLabel(date: string, today: string): string {
  if (date === today) return 'Today'
  const yesterday = new Date(today)
  yesterday.setDate(yesterday.getDate() - 1)
  if (date === yesterday.toDateString()) return 'Yesterday'
  const day = new Date(date)
  return (day.getFullYear() === yesterday.getFullYear() ? full : withYear).format(day)
}
