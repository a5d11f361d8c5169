import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowUpRight } from 'lucide-react'
import { useRef } from 'react'
import { Older } from '#web/features/activity/activity-list.tsx'
import { TimelineSkeleton } from '#web/features/activity/timeline-skeleton.tsx'
import { Timeline } from '#web/features/activity/timeline.tsx'
import { focusOnceGone } from '#web/lib/focus.ts'
import { messageOf } from '#web/lib/http-error.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { RetryNote } from '#web/ui/note.tsx'
import { AuditSentence } from './audit-sentence.tsx'
import { auditOfOptions } from './audit.api.ts'

interface AuditPartProps {
  /** The id of a user, or the public id of a server. */
  targetId: string
  /** On the server's own page it is not named again and again. */
  onServer?: boolean
}

/** What the audit log has about one user or one server. New rows come by themselves; older ones when they are asked for. */
export function AuditPart({ targetId, onServer = false }: AuditPartProps) {
  const title = useRef<HTMLHeadingElement>(null)
  return (
    <section aria-labelledby="audit-part">
      <div className="mb-3 flex items-baseline justify-between gap-3">
        <h2 id="audit-part" ref={title} tabIndex={-1} className="text-13 font-medium text-ink-2 outline-none">
          From the audit log
        </h2>
        <Link
          to="/admin/audit"
          search={{ target_id: targetId }}
          className="inline-flex min-h-6 items-center gap-1 rounded-6 text-13 text-accent hover:underline"
        >
          Open in the audit log
          <ArrowUpRight size={14} aria-hidden="true" />
        </Link>
      </div>
      <Pages targetId={targetId} onServer={onServer} onAgain={() => focusOnceGone(() => title.current)} />
    </section>
  )
}

function Pages({ targetId, onServer, onAgain }: Required<AuditPartProps> & { onAgain: () => void }) {
  const log = useInfiniteQuery(auditOfOptions(targetId))
  const { data, error, refetch } = log
  if (data === undefined) {
    if (error === null) return <TimelineSkeleton rows={6} />
    const again = () => {
      void refetch()
      onAgain()
    }
    return <RetryNote onRetry={again}>{messageOf(error)}</RetryNote>
  }
  const entries = data.pages.flatMap((page) => page.data)
  if (entries.length === 0) {
    return (
      <EmptyState title="Nothing happened yet">
        Every change is written down here: who made it, what it was before and what it is now.
      </EmptyState>
    )
  }
  return (
    <div className="card p-5">
      <Timeline entries={entries} sentence={(entry) => <AuditSentence entry={entry} onServer={onServer} />} />
      <Older activity={log} />
    </div>
  )
}
