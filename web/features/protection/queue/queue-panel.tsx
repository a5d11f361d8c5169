import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { ISSUES } from '#contract/protection/issue-kinds.ts'
import type { IssueDetail, QueuedIssue } from '#contract/protection/protection.ts'
import { m } from '#messages'
import { AdminActions } from '#web/features/protection/admin-actions.tsx'
import { EvidenceItems } from '#web/features/protection/evidence.tsx'
import { IssueBadges } from '#web/features/protection/issue-labels.tsx'
import { POLLING, RefreshErrorNote, Seen } from '#web/features/protection/issue-list.tsx'
import { hasReports, issueOptions } from '#web/features/protection/protection.api.ts'
import { ReportCounts } from '#web/features/protection/reports-card.tsx'
import { RichText } from '#web/ui/rich-text.tsx'
import { PanelPending, SidePanel, useMissingRow } from '#web/ui/table/side-panel.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { ServerAndOwner } from './queue-table.tsx'
import { queuedIssueOptions } from './queue.api.ts'

const EVIDENCE_LINES = 3

interface QueuePanelProps {
  id: string
  /** The issue's row in the queue, if it is on the current page. */
  row: QueuedIssue | undefined
  onClose: () => void
}

/** One issue beside the queue. It stays open after its row leaves the list; an issue on another page is fetched by ID. */
export function QueuePanel({ id, row, onClose }: QueuePanelProps) {
  const [last, setLast] = useState(row)
  if (row && row !== last) setLast(row)
  const shown = last?.id === id ? last : undefined
  const { data, error, refetch } = useQuery({ ...queuedIssueOptions(id), enabled: shown === undefined, retryOnMount: true })
  const issue = shown ?? data
  const isMissing = issue === null
  useMissingRow(isMissing, m.protection_queue_missing(), onClose)
  if (isMissing) return null
  return (
    <SidePanel id={id} title={issue ? ISSUES[issue.kind].name() : m.protection_queue_issue()} onClose={onClose}>
      {issue ? <Details key={id} row={issue} /> : <PanelPending error={error} onRetry={() => void refetch()} />}
    </SidePanel>
  )
}

function Details({ row }: { row: QueuedIssue }) {
  const query = useQuery({ ...issueOptions(row.user_id, row.id), ...POLLING })
  const { data: detail } = query
  const issue = detail ?? row
  return (
    <>
      <RefreshErrorNote className="mt-3" query={query} />
      <p className="mt-1 text-13 text-ink-2">
        <ServerAndOwner issue={row} />
      </p>
      <div className="mt-3 flex flex-wrap items-center gap-2">
        <IssueBadges issue={issue} />
      </div>
      <p className="mt-4">{issue.summary}</p>
      <Seen issue={issue} />
      {hasReports(issue) ? (
        <ReportCounts issue={issue} />
      ) : (
        issue.evidence.items.length > 0 && (
          <>
            <h3 className="mt-5 mb-3 text-13 font-medium text-ink-2">{m.protection_queue_evidence()}</h3>
            <EvidenceItems items={issue.evidence.items} max={EVIDENCE_LINES} />
          </>
        )
      )}
      <LastReply issue={detail} />
      <div className="mt-6 flex flex-wrap gap-2">
        <AdminActions issue={issue} />
      </div>
      <p className="mt-4">
        <Link
          to="/admin/protection-issues/$issue_id/users/$user_id"
          params={{ issue_id: row.id, user_id: row.user_id }}
          className="inline-flex min-h-6 items-center rounded-6 text-13 font-medium text-accent hover:underline pointer-coarse:min-h-11"
        >
          {m.protection_queue_open()}
        </Link>
      </p>
    </>
  )
}

/** The owner's latest reply, above the moderation buttons. */
function LastReply({ issue }: { issue: IssueDetail | undefined }) {
  const last = issue?.timeline.findLast(({ kind, by }) => kind === 'REPLY' && by === 'owner')
  if (!last) return null
  const time = () => (
    <span className="font-normal text-ink-3">
      <TimeAgo at={last.at} />
    </span>
  )
  return (
    <>
      <h3 className="mt-5 mb-2 text-13 font-medium text-ink-2">
        <RichText message={m.protection_queue_owner_replied} tags={{ time }} />
      </h3>
      <blockquote className="rounded-6 border border-line bg-surface-2 px-3 py-2 text-13 whitespace-pre-line">{last.text}</blockquote>
    </>
  )
}
