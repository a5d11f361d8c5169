import type { ActivityEntry } from '#contract/events/activity.ts'
import { m } from '#messages'
import { DAY_MS, formatTime, localDay } from '#web/lib/time.ts'

/** Groups entries by day and keeps their order, newest first. */
export function byDay<E extends Pick<ActivityEntry, 'at'>>(entries: readonly E[]) {
  return Array.from(
    Map.groupBy(entries, ({ at }) => localDay(at)),
    ([date, dayEntries]) => ({ date, entries: dayEntries }),
  )
}

/** `Today`, `Yesterday`, else `Friday 20 November` or `3 March 2025`. @param date, today days such as `2026-11-20`. */
export function dayLabel(date: string, today: string): string {
  if (date === today) return m.activity_today()
  const yesterday = new Date(Date.parse(today) - DAY_MS).toISOString().slice(0, 10)
  if (date === yesterday) return m.activity_yesterday()
  // A day alone is parsed as UTC.
  return formatTime(date, date.slice(0, 4) === yesterday.slice(0, 4) ? 'weekday' : 'longDate', 'UTC')
}
