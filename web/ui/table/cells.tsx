import { TimeAgo } from '#web/ui/time-ago.tsx'

/** Above the link that covers the row, so that its tooltip works. */
export function WhenCell({ at }: { at: string }) {
  return (
    <span className="relative">
      <TimeAgo at={at} />
    </span>
  )
}

/** A count that is better zero. */
export function CountCell({ count }: { count: number }) {
  return count === 0 ? <span className="text-ink-3">–</span> : <span className="font-medium text-warn">{count}</span>
}
