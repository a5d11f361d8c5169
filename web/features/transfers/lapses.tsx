import { exactTime, relativeTime, useNow } from '#web/lib/time.ts'

const DAY_MS = 86_400_000

/** Whole days are rounded, so that a new offer has all of its seven. */
function inWords(at: string, now: number): string {
  const days = Math.round((Date.parse(at) - now) / DAY_MS)
  return days > 1 ? `in ${days} days` : relativeTime(at, now)
}

/** `lapses in 6 days`; the exact time on hover and focus. */
export function Lapses({ at }: { at: string }) {
  const now = useNow()
  return (
    <>
      {Date.parse(at) <= now ? 'lapsed ' : 'lapses '}
      <time dateTime={at} data-tip={exactTime(at)} className="rounded-6 tabular-nums">
        {inWords(at, now)}
      </time>
    </>
  )
}
