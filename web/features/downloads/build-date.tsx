import { exactTime, relativeTime, useNow } from '#web/lib/time.ts'

const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' })

/** How long ago it was built; the date on hover and focus. Of a day without a time no time is made up. */
export function BuildDate({ at }: { at: string }) {
  const now = useNow()
  const exact = at.endsWith('T00:00:00.000Z') ? day.format(new Date(at)) : exactTime(at)
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the date has to be reachable by keyboard
    <time dateTime={at} data-tip={exact} tabIndex={0} className="rounded-6 tabular-nums">
      {relativeTime(at, now)}
    </time>
  )
}
