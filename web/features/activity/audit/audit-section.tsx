import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowUpRight } from 'lucide-react'
import { m } from '#messages'
import { TimelinePages } from '#web/features/activity/activity-list.tsx'
import { AuditSentence } from './audit-sentence.tsx'
import { auditTargetOptions } from './audit.api.ts'

interface AuditSectionProps {
  targetId: string
  onServer?: boolean
}

export function AuditSection({ targetId, onServer = false }: AuditSectionProps) {
  return (
    <section aria-labelledby="audit-part">
      <div className="mb-3 flex items-baseline justify-between gap-3">
        <h2 id="audit-part" tabIndex={-1} className="text-13 font-medium text-ink-2 outline-none">
          {m.audit_section()}
        </h2>
        <Link
          to="/admin/audit"
          search={{ target_id: targetId }}
          className="inline-flex min-h-6 items-center gap-1 rounded-6 text-13 text-accent hover:underline"
        >
          {m.audit_open()}
          <ArrowUpRight size={14} aria-hidden="true" />
        </Link>
      </div>
      <TimelinePages
        query={useInfiniteQuery(auditTargetOptions(targetId))}
        sentence={(entry) => <AuditSentence entry={entry} onServer={onServer} />}
      />
    </section>
  )
}
