import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { IssueDetail, IssueKind } from '#contract/protection/protection.ts'
import { m } from '#messages'
import { useNow } from '#web/lib/time.ts'
import { buttonClass, CopyButton } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { RichText } from '#web/ui/rich-text.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { Evidence, hasEvidence } from './evidence.tsx'
import { CONSEQUENCE, ConsequenceBadge, isOpen, IssueBadges, subjectOf } from './issue-labels.tsx'
import { Seen, type Viewer } from './issue-list.tsx'
import { IssueTimeline } from './issue-timeline.tsx'

interface IssueViewProps {
  issue: IssueDetail
  viewer: Viewer
  above: ReactNode
  owner?: ReactNode
  actions?: ReactNode
  reply?: ReactNode
  /** Below the summary. */
  reports?: ReactNode
}

export function IssueView({ issue, viewer, above, owner, actions, reply, reports }: IssueViewProps) {
  return (
    <>
      <PageHeader
        above={above}
        title={issue.title}
        beside={
          <span className="inline-flex flex-wrap items-center gap-2">
            <IssueBadges issue={issue} />
          </span>
        }
        below={
          <span className="flex flex-wrap items-center gap-x-5 gap-y-1">
            <AffectedServer issue={issue} viewer={viewer} />
            {owner}
            <span className="inline-flex min-w-0 items-center gap-1">
              <span className="whitespace-nowrap text-ink-3">{m.protection_issue()}</span>
              <span className="min-w-0 truncate font-mono text-12">{issue.id}</span>
              <CopyButton text={issue.id} label={m.protection_issue_copy_id()} />
            </span>
          </span>
        }
        action={actions}
      />
      <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-[minmax(0,1fr)_360px]">
        <div className="min-w-0 space-y-5">
          {viewer === 'owner' && <Remedy issue={issue} viewer={viewer} />}
          <Card title={m.protection_summary()}>
            <p className="mt-2 text-16 text-pretty [overflow-wrap:anywhere]">{issue.summary}</p>
            <p className="mt-2 text-pretty text-ink-2">{issue.explanation}</p>
            <Seen issue={issue} />
          </Card>
          {reports}
          {hasEvidence(issue) && (
            <Card title={m.protection_evidence()}>
              <Evidence key={issue.id} issue={issue} viewer={viewer} />
            </Card>
          )}
          <ConsequenceCard issue={issue} viewer={viewer} />
          {viewer === 'administrator' && <Remedy issue={issue} viewer={viewer} />}
        </div>
        {(issue.timeline.length > 0 || reply !== undefined) && (
          <Card title={m.protection_timeline()} className="min-w-0">
            <div className="mt-4">
              <IssueTimeline issue={issue} viewer={viewer} />
            </div>
            {reply !== undefined && <div className="mt-5 border-t border-line pt-5">{reply}</div>}
          </Card>
        )}
      </div>
    </>
  )
}

function AffectedServer({ issue, viewer }: { issue: IssueDetail; viewer: Viewer }) {
  const { server } = issue
  if (server === null) return <span className="text-ink-3">{subjectOf(issue)}</span>
  return (
    <span className="inline-flex min-w-0 items-center gap-1">
      <span className="text-ink-3">{m.protection_server()}</span>
      <Link
        to={viewer === 'owner' ? '/servers/$server_id' : '/admin/servers/$server_id'}
        params={{ server_id: server.public_id }}
        className="inline-link text-ink-1"
      >
        {server.name}
      </Link>
      <CopyButton text={server.public_id} label={m.protection_server_copy_id()} />
    </span>
  )
}

function ConsequenceCard({ issue, viewer }: { issue: IssueDetail; viewer: Viewer }) {
  const { consequence, consequence_text: ownerText, next_consequence: next, ends, is_visible_to_owner: isVisible } = issue
  return (
    <Card title={m.protection_consequence()}>
      {isOpen(issue) ? (
        <>
          <div className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-1.5">
            <ConsequenceBadge consequence={consequence} />
            <span className="text-13 text-ink-3">{m.protection_consequence_active()}</span>
          </div>
          <p className="mt-2 text-pretty text-ink-2">
            {viewer === 'owner' ? ownerText : isVisible ? CONSEQUENCE[consequence].description : m.reports_hidden()}
          </p>
          {next && <NextConsequence {...CONSEQUENCE[next.consequence]} at={next.at} />}
          {ends !== '' && <p className="mt-3 border-t border-line pt-3 text-13 text-pretty text-ink-2">{ends}</p>}
        </>
      ) : (
        <p className="mt-2 text-ink-2">{m.protection_consequence_none()}</p>
      )}
    </Card>
  )
}

function NextConsequence({ name, description, at }: { name: string; description: string; at: string }) {
  const isDue = Date.parse(at) <= useNow()
  const consequence = () => <strong className="font-medium">{name}</strong>
  return (
    <div className="mt-3 space-y-1 rounded-6 tint-warn px-3 py-2.5 text-13 text-pretty text-ink-1">
      <p>
        {isDue ? (
          <RichText message={m.protection_consequence_next_due} tags={{ consequence }} />
        ) : (
          <RichText message={m.protection_consequence_next} tags={{ consequence, time: () => <TimeAgo at={at} /> }} />
        )}
      </p>
      <p className="text-ink-2">{description}</p>
    </div>
  )
}

/** The tab of the server's page where the owner can fix the issue. Without one, it is the overview. */
interface RemedyLink {
  tab?: 'listing' | 'announces'
  text: string
}

const REMEDY_LINKS: Partial<Record<IssueKind, RemedyLink>> = {
  ADDRESS_MISMATCH: { text: m.protection_remedy_address() },
  REVOKED_CREDENTIAL: { text: m.protection_remedy_credential() },
  IMPERSONATION: { tab: 'listing', text: m.protection_remedy_name() },
  PLAYER_REPORTS: { tab: 'listing', text: m.protection_remedy_name() },
}
const ANNOUNCES_LINK: RemedyLink = { tab: 'announces', text: m.protection_remedy_announces() }

function Remedy({ issue, viewer }: { issue: IssueDetail; viewer: Viewer }) {
  const { tab, text } = REMEDY_LINKS[issue.kind] ?? ANNOUNCES_LINK
  return (
    <Card title={m.protection_remedy()}>
      <p className="mt-2 text-pretty text-ink-2">{issue.remedy}</p>
      {viewer === 'owner' && issue.server && isOpen(issue) && (
        <Link
          to="/servers/$server_id"
          params={{ server_id: issue.server.public_id }}
          search={tab === undefined ? {} : { tab }}
          className={buttonClass('secondary', 'mt-4')}
        >
          {text}
        </Link>
      )}
    </Card>
  )
}
