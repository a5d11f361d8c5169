import { TimeAgo } from '#web/ui/time-ago.tsx'
import { WarnNote } from '#web/ui/note.tsx'

/** For administrators: the newest manifest can't be used, and what is shown instead. */
export function ManifestProblem({ problem, readAt }: { problem: string; readAt: string | null }) {
  return (
    <WarnNote className="mb-5">
      <p className="font-medium">The manifest can’t be used. Only administrators see this.</p>
      <p className="mt-0.5 [overflow-wrap:anywhere]">{problem}</p>
      <p className="mt-0.5 text-ink-2">
        {readAt === null ? (
          'No manifest could be used so far, so visitors see an empty page.'
        ) : (
          <>
            Visitors see the one that was right last, <TimeAgo at={readAt} />.
          </>
        )}
      </p>
    </WarnNote>
  )
}
