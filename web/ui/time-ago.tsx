import { exactTime, relativeTime, useNow } from '#web/lib/time.ts'

/** How long ago, ticking; the exact time on hover and focus. */
export function TimeAgo({ at }: { at: string }) {
  const now = useNow()
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the exact time has to be reachable by keyboard
    <time dateTime={at} data-tip={exactTime(at)} tabIndex={0} className="rounded-6 tabular-nums">
      {relativeTime(at, now)}
    </time>
  )
}
