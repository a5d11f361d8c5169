import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { IssueDetail, IssueKind } from '#contract/protection.ts'
import { useNow } from '#web/lib/time.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { Evidence } from './evidence.tsx'
import { IssueTimeline } from './issue-timeline.tsx'
import type { Viewer } from './issue-list.tsx'
import { ConsequenceBadge, IssueBadges } from './issue-badges.tsx'
import { CONSEQUENCE, isOpen, timesSeen } from './issue-labels.ts'

interface IssueViewProps {
  issue: IssueDetail
  viewer: Viewer
  above: ReactNode
  person?: ReactNode
  actions?: ReactNode
  answer?: ReactNode
}

export function IssueView({ issue, viewer, above, person, actions, answer }: IssueViewProps) {
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
            <AboutServer issue={issue} viewer={viewer} />
            {person}
            <span className="inline-flex min-w-0 items-center gap-1">
              <span className="whitespace-nowrap text-ink-3">Issue</span>
              <span className="min-w-0 truncate font-mono text-12">{issue.id}</span>
              <CopyButton text={issue.id} label="Copy the id of the issue" />
            </span>
          </span>
        }
        action={actions}
      />
      <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-[minmax(0,1fr)_360px]">
        <div className="min-w-0 space-y-5">
          <Seen issue={issue} />
          <Card title="Evidence">
            <Evidence key={issue.id} issue={issue} viewer={viewer} />
          </Card>
          <WhatFollows issue={issue} viewer={viewer} />
          <Remedy issue={issue} viewer={viewer} />
        </div>
        <Card title="Who did what" className="min-w-0">
          <div className="mt-4">
            <IssueTimeline issue={issue} viewer={viewer} />
          </div>
          {answer !== undefined && <div className="mt-5 border-t border-line pt-5">{answer}</div>}
        </Card>
      </div>
    </>
  )
}

function AboutServer({ issue: { server }, viewer }: { issue: IssueDetail; viewer: Viewer }) {
  if (server === null) return <span className="text-ink-3">The server is deleted</span>
  return (
    <span className="inline-flex min-w-0 items-center gap-1">
      <span className="text-ink-3">Server</span>
      <Link
        to={viewer === 'owner' ? '/servers/$server_id' : '/admin/servers/$server_id'}
        params={{ server_id: server.public_id }}
        className="rounded-6 [overflow-wrap:anywhere] text-ink-1 underline decoration-line-strong underline-offset-2 hover:decoration-current"
      >
        {server.name}
      </Link>
      <CopyButton text={server.public_id} label="Copy the server id" />
    </span>
  )
}

function Seen({ issue }: { issue: IssueDetail }) {
  const once = issue.occurrences === 1
  return (
    <Card title="What was seen">
      <p className="mt-2 text-16 text-pretty [overflow-wrap:anywhere]">{issue.summary}</p>
      <p className="mt-2 text-pretty text-ink-2">{issue.explanation}</p>
      <p className="mt-3 flex flex-wrap gap-x-4 gap-y-1 text-13 text-ink-3">
        <span className="tabular-nums">{timesSeen(issue.occurrences)}</span>
        <span>
          {once ? '' : 'First seen '}
          <TimeAgo at={issue.first_seen_at} />
        </span>
        {!once && (
          <span>
            Last seen <TimeAgo at={issue.last_seen_at} />
          </span>
        )}
      </p>
    </Card>
  )
}

function WhatFollows({ issue, viewer }: { issue: IssueDetail; viewer: Viewer }) {
  const open = isOpen(issue)
  const { consequence, consequence_text: means, next_consequence: next, ends } = issue
  return (
    <Card title="What follows">
      {open ? (
        <>
          <div className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-1.5">
            <ConsequenceBadge consequence={consequence} />
            <span className="text-13 text-ink-3">in force now</span>
          </div>
          <p className="mt-2 text-pretty text-ink-2">{viewer === 'owner' ? means : CONSEQUENCE[consequence].means}</p>
          {next && <Next consequence={CONSEQUENCE[next.consequence].name} at={next.at} />}
          {ends !== '' && <p className="mt-3 border-t border-line pt-3 text-13 text-pretty text-ink-2">{ends}</p>}
        </>
      ) : (
        <p className="mt-2 text-ink-2">Nothing any more: it is over, and no consequence is in force.</p>
      )}
    </Card>
  )
}

function Next({ consequence, at }: { consequence: string; at: string }) {
  const due = Date.parse(at) <= useNow()
  return (
    <p className="mt-3 rounded-6 tint-warn px-3 py-2.5 text-13 text-ink-1">
      If it goes on: <strong className="font-medium">{consequence}</strong>{' '}
      {due ? (
        'with the next finding.'
      ) : (
        <>
          <TimeAgo at={at} />.
        </>
      )}
    </p>
  )
}

/** Where on the server's page the remedy is at hand; its first tab has the credential and the address. */
interface Place {
  tab?: 'listing' | 'announces'
  says: string
}

const PLACES: Partial<Record<IssueKind, Place>> = {
  ADDRESS_MISMATCH: { says: 'To its address and credential' },
  REVOKED_CREDENTIAL: { says: 'To its credential' },
  IMPERSONATION: { tab: 'listing', says: 'Change its name' },
}
const ANNOUNCES: Place = { tab: 'announces', says: 'See its announces' }

function Remedy({ issue, viewer }: { issue: IssueDetail; viewer: Viewer }) {
  const { tab, says } = PLACES[issue.kind] ?? ANNOUNCES
  return (
    <Card title="What to do">
      <p className="mt-2 text-pretty text-ink-2">{issue.remedy}</p>
      {viewer === 'owner' && issue.server && isOpen(issue) && (
        <Link
          to="/servers/$server_id"
          params={{ server_id: issue.server.public_id }}
          search={tab === undefined ? {} : { tab }}
          className={buttonClass('secondary', 'mt-4')}
        >
          {says}
        </Link>
      )}
    </Card>
  )
}
