import { exactTime, relativeTime, useNow } from '#web/lib/time.ts'

const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' })

const long = new Intl.RelativeTimeFormat('en', { numeric: 'always' })
const DAY_MS = 86_400_000

/** `9 days ago`, and from a month on `2 months ago`, in numbers throughout. */
function agoInWords(at: string, now: number): string {
  const days = Math.floor((now - Date.parse(at)) / DAY_MS)
  if (days < 30) return relativeTime(at, now)
  return days < 365 ? long.format(-Math.floor(days / 30), 'month') : long.format(-Math.floor(days / 365), 'year')
}

/** How long ago it was built; the date on hover and focus. Of a day without a time no time is made up. */
export function BuildDate({ at }: { at: string }) {
  const now = useNow()
  const exact = at.endsWith('T00:00:00.000Z') ? day.format(new Date(at)) : exactTime(at)
  return (
    <time dateTime={at} data-tip={exact} className="rounded-6 tabular-nums">
      {agoInWords(at, now)}
    </time>
  )
}
