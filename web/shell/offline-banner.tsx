import { CloudOff } from 'lucide-react'
import { useConnection } from '#web/features/live/live.ts'
import { exactTime, useNow } from '#web/lib/time.ts'

/** A moment without connection is not worth a word. */
const GRACE_MS = 500

/** Says that what is shown may be old, why, and when it is tried again. */
export function OfflineBanner() {
  const connection = useConnection()
  const now = useNow()
  if (connection.state === 'open' || now - connection.since < GRACE_MS) return null
  const seconds = Math.max(1, Math.ceil((connection.retryAt - now) / 1000))
  return (
    <div role="status" className="flex items-center justify-center gap-2 border-b border-line tint-warn px-4 py-2 text-13">
      <CloudOff size={15} className="shrink-0 text-warn" aria-hidden="true" />
      <span>
        {navigator.onLine ? 'Muster can’t be reached. ' : 'You are offline. '}
        <span className="text-ink-2">
          Shown as of {exactTime(new Date(connection.since).toISOString())}
          <span aria-hidden="true">{navigator.onLine && `, trying again in ${seconds} s`}</span>.
        </span>
      </span>
    </div>
  )
}
