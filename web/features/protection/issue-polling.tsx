/** For administrators, who receive no events about other users' issues. */
import { m } from '#messages'
import { isStatus, messageOf } from '#web/lib/http/http-error.ts'
import { RetryNote, WarnNote } from '#web/ui/note.tsx'

export const POLLING = { refetchInterval: 10_000, refetchOnMount: 'always', retryOnMount: true } as const

/** Shown above a cached issue after its refresh failed. */
export function RefreshErrorNote({ error, onRetry, className }: { error: Error | null; onRetry: () => void; className: string }) {
  if (isStatus(error, 404)) return <WarnNote className={className}>{m.protection_issue_erased()}</WarnNote>
  return (
    error && (
      <RetryNote className={className} onRetry={onRetry}>
        {messageOf(error)}
      </RetryNote>
    )
  )
}
