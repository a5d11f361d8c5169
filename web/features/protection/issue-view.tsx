import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { IssueDetail } from '#contract/protection.ts'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { EvidenceCard } from './evidence-card.tsx'
import { History } from './history.tsx'
import type { Viewer } from './issue-list.tsx'
import { ConsequenceMark, SeverityMark, StatusMark } from './marks.tsx'
import { Remedy } from './remedy.tsx'
import { WhatFollows } from './what-follows.tsx'
import { isOpen, timesFound } from './words.ts'

interface IssueViewProps {
  issue: IssueDetail
  viewer: Viewer
  /** The way back. */
  above: ReactNode
  /** Whose it is, where that is somebody else. */
  person?: ReactNode
  actions?: ReactNode
  /** Stands under who did what: the form to answer. */
  answer?: ReactNode
}

/** One issue: what was seen, the evidence, what follows, what to do, and who did what. */
export function IssueView({ issue, viewer, above, person, actions, answer }: IssueViewProps) {
  return (
    <>
      <PageHeader
        above={above}
        title={issue.title}
        beside={
          <span className="inline-flex flex-wrap items-center gap-2">
            <StatusMark status={issue.status} />
            {isOpen(issue) && <ConsequenceMark consequence={issue.consequence} />}
            <SeverityMark severity={issue.severity} />
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
          <EvidenceCard key={issue.id} issue={issue} viewer={viewer} />
          <WhatFollows issue={issue} viewer={viewer} />
          <Remedy issue={issue} viewer={viewer} />
        </div>
        <section aria-labelledby="history" className="card min-w-0 p-5">
          <h2 id="history" className="mb-4 font-medium">
            Who did what
          </h2>
          <History issue={issue} viewer={viewer} />
          {answer !== undefined && <div className="mt-5 border-t border-line pt-5">{answer}</div>}
        </section>
      </div>
    </>
  )
}

const LINK = 'rounded-6 text-ink-1 underline decoration-line-strong underline-offset-2 hover:decoration-current [overflow-wrap:anywhere]'

function AboutServer({ issue: { server }, viewer }: { issue: IssueDetail; viewer: Viewer }) {
  if (server === null) return <span className="text-ink-3">The server is deleted</span>
  return (
    <span className="inline-flex min-w-0 items-center gap-1">
      <span className="text-ink-3">Server</span>
      {viewer === 'owner' ? (
        <Link to="/servers/$server_id" params={{ server_id: server.public_id }} className={LINK}>
          {server.name}
        </Link>
      ) : (
        <Link to="/admin/servers/$server_id" params={{ server_id: server.public_id }} className={LINK}>
          {server.name}
        </Link>
      )}
      <CopyButton text={server.public_id} label="Copy the server id" />
    </span>
  )
}

function Seen({ issue }: { issue: IssueDetail }) {
  const once = issue.occurrences === 1
  return (
    <section aria-labelledby="seen" className="card p-5">
      <h2 id="seen" className="font-medium">
        What was seen
      </h2>
      <p className="mt-2 text-16 text-pretty [overflow-wrap:anywhere]">{issue.summary}</p>
      <p className="mt-2 text-pretty text-ink-2">{issue.explanation}</p>
      <p className="mt-3 flex flex-wrap gap-x-4 gap-y-1 text-13 text-ink-3">
        <span className="tabular-nums">{timesFound(issue.occurrences)}</span>
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
    </section>
  )
}
