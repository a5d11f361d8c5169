/** For administrators: events reach an issue's owner alone, so what they look at is read again every few seconds. */
import { isStatus, messageOf } from '#web/lib/http-error.ts'
import { RetryNote, WarnNote } from '#web/ui/note.tsx'

/** How often, and that it is whenever it is entered. */
export const POLLED = { refetchInterval: 10_000, refetchOnMount: 'always', retryOnMount: true } as const

/** That an issue which is shown could not be read anew: it is gone, or it can be tried again. */
export function RefreshErrorNote({ error, onRetry, className }: { error: Error | null; onRetry: () => void; className: string }) {
  if (isStatus(error, 404)) {
    return (
      <WarnNote className={className}>This issue is gone, with the account that it was about. What is shown is how it last was.</WarnNote>
    )
  }
  return (
    error && (
      <RetryNote className={className} onRetry={onRetry}>
        {messageOf(error)}
      </RetryNote>
    )
  )
}
