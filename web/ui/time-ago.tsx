import { exactTime, relativeTime, useNow } from '#web/lib/time.ts'

/** The exact time is a tooltip. Not a tab stop, because a list has dozens of these. */
export function TimeAgo({ at, exact = exactTime(at) }: { at: string; exact?: string | undefined }) {
  const now = useNow()
  return (
    <time dateTime={at} data-relative data-tip={exact} className="rounded-6 tabular-nums">
      {relativeTime(at, now)}
    </time>
  )
}
