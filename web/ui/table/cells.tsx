/** Cells that several lists have. */
import { TimeAgo } from '#web/ui/time-ago.tsx'

/** How long ago. It stands above the link that covers the row, so that the exact time can be had. */
export function WhenCell({ at }: { at: string }) {
  return (
    <span className="relative">
      <TimeAgo at={at} />
    </span>
  )
}

/** How many there are of what there had better be none. */
export function CountCell({ count }: { count: number }) {
  return count === 0 ? <span className="text-ink-3">–</span> : <span className="font-medium text-warn">{count}</span>
}
