/** What players reported, for administrators: counts, and each report with its author's standing. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { IssueReports, ServerReport } from '#contract/protection/reports.ts'
import { m } from '#messages'
import { Avatar } from '#web/features/session/avatar.tsx'
import { formatNumber } from '#web/lib/format.ts'
import { relativeTime, useNow } from '#web/lib/time.ts'
import { Card } from '#web/ui/card.tsx'
import { Skeleton, WarnNote } from '#web/ui/states.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { REPORT_REASONS } from './issue-labels.tsx'
import { POLLING, RefreshErrorNote } from './issue-list.tsx'
import { type ReportedIssue, reportsOptions } from './protection.api.ts'

/** The short form, beside the queue. */
export function ReportCounts({ issue }: { issue: ReportedIssue }) {
  const { data } = useQuery({ ...reportsOptions(issue), ...POLLING })
  return (
    <div className="mt-4 min-h-5">
      <h3 className="text-13 font-medium text-ink-2">{m.reports_title()}</h3>
      {data && <Counts data={data} />}
    </div>
  )
}

export function ReportsCard({ issue }: { issue: ReportedIssue }) {
  const query = useQuery({ ...reportsOptions(issue), ...POLLING })
  return (
    <Card title={m.reports_title()}>
      <RefreshErrorNote className="mt-3" query={query} />
      {query.data ? (
        <Reports data={query.data} showsServer={issue.kind === 'REPORT_ABUSE'} />
      ) : (
        query.error === null && <Skeleton className="mt-4 h-24 w-full" />
      )}
    </Card>
  )
}

function Reports({ data, showsServer }: { data: IssueReports; showsServer: boolean }) {
  const { reports, total } = data
  if (total === 0) return <p className="mt-2 text-ink-2">{m.reports_none()}</p>
  return (
    <>
      <Counts data={data} />
      <ul className="mt-4 divide-y divide-line border-t border-line">
        {reports.map((report) => (
          <Report key={report.id} report={report} showsServer={showsServer} />
        ))}
      </ul>
      {total > reports.length && (
        <p className="mt-3 text-12 text-ink-3 tabular-nums">
          {m.reports_newest({ count: formatNumber(reports.length), all: formatNumber(total) })}
        </p>
      )}
    </>
  )
}

function Counts({ data }: { data: IssueReports }) {
  const { reasons, reporters, new_reporters: newReporters } = data
  return (
    <>
      <ul className="mt-3 flex flex-wrap gap-x-4 gap-y-1 text-13 text-ink-2 tabular-nums">
        {reasons.map(({ reason, count }) => (
          <li key={reason}>
            {REPORT_REASONS[reason].name}: <strong className="font-medium text-ink-1">{formatNumber(count)}</strong>
          </li>
        ))}
      </ul>
      {newReporters * 2 > reporters && (
        <WarnNote className="mt-3">{m.reports_new_accounts({ count: formatNumber(newReporters), all: formatNumber(reporters) })}</WarnNote>
      )}
    </>
  )
}

const OUTCOMES = { upheld: m.reports_outcome_upheld(), dismissed: m.reports_outcome_dismissed() }

function Report({ report, showsServer }: { report: ServerReport; showsServer: boolean }) {
  const { reason, details, server, created_at: at, is_counted: isCounted, outcome } = report
  return (
    <li className="py-3 last:pb-0">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="font-medium">{REPORT_REASONS[reason].name}</span>
        {outcome && <span className="text-12 text-ink-2">{OUTCOMES[outcome]}</span>}
        {!isCounted && <span className="text-12 text-warn">{m.reports_uncounted()}</span>}
        <span className="ml-auto text-12 text-ink-3">
          <TimeAgo at={at} />
        </span>
      </p>
      {showsServer && (
        <Link to="/admin/servers/$server_id" params={{ server_id: server.public_id }} className="inline-link">
          {server.name}
        </Link>
      )}
      <p className="mt-1 [overflow-wrap:anywhere] whitespace-pre-line text-ink-2">
        {details === '' ? <span className="text-ink-3">{m.reports_no_details()}</span> : details}
      </p>
      {!showsServer && <Reporter report={report} />}
    </li>
  )
}

function Reporter({ report: { reporter, account_created_at: signedUpAt, standing } }: { report: ServerReport }) {
  const now = useNow()
  return (
    <p className="mt-1.5 flex flex-wrap items-center gap-x-2 gap-y-1 text-12 text-ink-3 tabular-nums">
      <Avatar user={reporter.discord} size={20} />
      <Link to="/admin/users/$user_id" params={{ user_id: reporter.id }} className="inline-link text-13 text-ink-1">
        {reporter.discord.username}
      </Link>
      <span>{m.reports_signed_up({ time: relativeTime(signedUpAt, now) })}</span>
      <span>{m.reports_standing({ upheld: formatNumber(standing.upheld), dismissed: formatNumber(standing.dismissed) })}</span>
    </p>
  )
}
