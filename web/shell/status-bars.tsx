/** Bars about the page as a whole. They are below the page, so that nothing on it moves when they appear. */
import { CloudOff, RefreshCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { m } from '#messages'
import { useConnection } from '#web/features/live/connection.ts'
import { exactTime, useNow } from '#web/lib/time.ts'
import { useHasNewVersion } from '#web/lib/http/version-check.ts'
import { cx } from '#web/ui/class-names.ts'

const OFFLINE_DELAY_MS = 500

function Bar({ tint, children }: { tint: string; children: ReactNode }) {
  return (
    <div role="status" className={cx('flex shrink-0 items-center justify-center gap-2 border-t border-line px-4 py-2 text-13', tint)}>
      {children}
    </div>
  )
}

export function NewVersionBar() {
  if (!useHasNewVersion()) return null
  return (
    <Bar tint="bg-surface-2">
      <RefreshCw size={15} className="shrink-0 text-ink-3" aria-hidden="true" />
      <span>{m.shell_new_version()}</span>
      <button
        type="button"
        onClick={() => location.reload()}
        className="min-h-6 rounded-6 font-medium text-accent hover:underline pointer-coarse:min-h-11"
      >
        {m.shell_new_version_reload()}
      </button>
    </Bar>
  )
}

/** Warns that the data may be stale, and counts down to the next retry. */
export function OfflineBar() {
  const connection = useConnection()
  const now = useNow()
  if (connection.state === 'open' || now - connection.since < OFFLINE_DELAY_MS) return null
  const seconds = Math.max(1, Math.ceil((connection.retryAt - now) / 1000))
  return (
    <Bar tint="tint-warn">
      <CloudOff size={15} className="shrink-0 text-warn" aria-hidden="true" />
      <span>
        {navigator.onLine ? m.shell_offline_server() : m.shell_offline_browser()}
        <span className="text-ink-2">
          {m.shell_offline_since({ time: exactTime(new Date(connection.since).toISOString()) })}
          <span aria-hidden="true">{navigator.onLine && m.shell_offline_retry({ seconds })}</span>.
        </span>
      </span>
    </Bar>
  )
}
