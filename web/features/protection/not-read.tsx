import { isStatus, messageOf } from '#web/lib/http-error.ts'
import { RetryNote, WarnNote } from '#web/ui/note.tsx'

/** That an issue which is shown could not be read anew: it is gone, or it can be tried again. */
export function NotRead({ error, onRetry }: { error: Error; onRetry: () => void }) {
  if (isStatus(error, 404)) {
    return <WarnNote>This issue is gone, with the account that it was about. What is shown is how it last was.</WarnNote>
  }
  return <RetryNote onRetry={onRetry}>{messageOf(error)}</RetryNote>
}
