import { exactTime, relativeTime, useNow } from '#web/lib/time.ts'

/** `lapses in 6 days`; the exact time on hover and focus. */
export function Lapses({ at }: { at: string }) {
  const now = useNow()
  return (
    <>
      {Date.parse(at) <= now ? 'lapsed ' : 'lapses '}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the exact time has to be reachable by keyboard */}
      <time dateTime={at} data-tip={exactTime(at)} tabIndex={0} className="rounded-6 tabular-nums">
        {relativeTime(at, now)}
      </time>
    </>
  )
}
