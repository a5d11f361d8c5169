import { isStatus, messageOf } from '#web/lib/http-error.ts'
import { RetryNote, WarnNote } from '#web/ui/note.tsx'
import { SkeletonRows } from '#web/ui/skeleton.tsx'

interface ReadingProps {
  error: Error | null
  onRetry: () => void
}

export function PanelPending({ error, onRetry }: ReadingProps) {
  if (error) {
    return (
      <div className="mt-4">
        <RetryNote onRetry={onRetry}>{messageOf(error)}</RetryNote>
      </div>
    )
  }
  return (
    <div className="mt-6 space-y-5">
      <SkeletonRows rows={5} />
    </div>
  )
}

/** Over what is known: it could not be read again, or is gone. */
export function PanelStale({ error, onRetry, gone }: ReadingProps & { gone: string }) {
  if (!isStatus(error, 404)) return error && <PanelPending error={error} onRetry={onRetry} />
  return (
    <div className="mt-4">
      <WarnNote>{gone} What is shown is how it last was.</WarnNote>
    </div>
  )
}
