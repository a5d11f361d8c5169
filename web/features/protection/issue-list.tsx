import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ISSUES } from '#contract/protection/issue-kinds.ts'
import type { ProtectionIssue } from '#contract/protection/protection.ts'
import { m } from '#messages'
import { call, isStatus } from '#web/lib/http/call.ts'
import { EmptyState, QueryPending, SkeletonRows, WarnNote } from '#web/ui/states.tsx'
import { RichText } from '#web/ui/rich-text.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { ConsequenceBadge, isOpen, KindIcon, SeverityBadge, StatusBadge, timesSeen } from './issue-labels.tsx'
import { issuesOfUserOptions, PROTECTION } from './protection.api.ts'

/** For administrators, who receive no events about other users' issues. */
export const POLLING = { refetchInterval: 10_000, refetchOnMount: 'always', retryOnMount: true } as const

export type Viewer = 'owner' | 'administrator'

export function IssueList({ userId, viewer }: { userId: string; viewer: Viewer }) {
  const list = useQuery({ ...issuesOfUserOptions(userId), ...(viewer === 'administrator' && POLLING) })
  return <Issues list={list} viewer={viewer} />
}

interface IssuesProps {
  list: { data: readonly ProtectionIssue[] | undefined; error: Error | null; refetch: () => Promise<unknown> }
  viewer: Viewer
  /** For the list of one server: rows don't repeat its name. */
  ofServer?: boolean
}

function Issues({ list, viewer, ofServer = false }: IssuesProps) {
  const { data: issues } = list
  if (issues === undefined) {
    return (
      <QueryPending query={list}>
        <div role="status" aria-label={m.common_loading()} className="card space-y-5 p-5">
          <SkeletonRows rows={3} />
        </div>
      </QueryPending>
    )
  }
  if (issues.length === 0) return <EmptyState title={m.protection_list_empty()}>{emptyHint(viewer, ofServer)}</EmptyState>
  const sections = [
    { title: m.protection_list_open(), shown: issues.filter(isOpen) },
    { title: m.protection_list_closed(), shown: issues.filter((issue) => !isOpen(issue)) },
  ]
  return (
    <div className="space-y-6">
      <QueryPending query={list} />
      {sections.map(
        ({ title, shown }) =>
          shown.length > 0 && (
            <section key={title} aria-label={title}>
              <h2 className="mb-2 text-13 font-medium text-ink-2">
                {title} <span className="font-normal text-ink-3 tabular-nums">{shown.length}</span>
              </h2>
              <ul className="card divide-y divide-line">
                {shown.map((issue) => (
                  <Row key={issue.id} issue={issue} viewer={viewer} showsServer={!ofServer} />
                ))}
              </ul>
            </section>
          ),
      )}
    </div>
  )
}

function emptyHint(viewer: Viewer, ofServer: boolean): string {
  if (viewer === 'owner') return m.protection_list_empty_owner()
  return ofServer ? m.protection_list_empty_server() : m.protection_list_empty_user()
}

function Row({ issue, viewer, showsServer }: { issue: ProtectionIssue; viewer: Viewer; showsServer: boolean }) {
  const { id: issue_id, user_id } = issue
  const target =
    viewer === 'owner'
      ? ({ to: '/protection-issues/$issue_id', params: { issue_id } } as const)
      : ({ to: '/admin/protection-issues/$issue_id/users/$user_id', params: { issue_id, user_id } } as const)
  return (
    <li className="relative flex gap-3 px-5 py-3.5 transition-colors duration-100 hover:bg-surface-2/50">
      <KindIcon kind={issue.kind} className="mt-[3px]" />
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1.5">
          <h3 className="min-w-0 font-medium [overflow-wrap:anywhere]">
            <Link
              {...target}
              className="text-ink-1 after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:rounded-6 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
            >
              {ISSUES[issue.kind].name()}
            </Link>
            {showsServer && issue.server && <span className="font-normal text-ink-2"> · {issue.server.name}</span>}
          </h3>
          <span className="relative flex flex-wrap items-center gap-2">
            {isOpen(issue) && issue.consequence !== 'NOTICE' && <ConsequenceBadge consequence={issue.consequence} />}
            <StatusBadge status={issue.status} />
          </span>
        </div>
        <p className="mt-1 line-clamp-2 text-13 [overflow-wrap:anywhere] text-ink-2">{issue.summary}</p>
        <p className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-12 text-ink-3">
          <SeverityBadge severity={issue.severity} />
          <span className="tabular-nums">{timesSeen(issue.occurrences)}</span>
          <span className="relative">
            <LastSeen issue={issue} />
          </span>
        </p>
      </div>
    </li>
  )
}

function FirstSeen({ issue: { first_seen_at: at } }: { issue: ProtectionIssue }) {
  return <RichText message={m.protection_first_seen} tags={{ time: () => <TimeAgo at={at} /> }} />
}

function LastSeen({ issue: { last_seen_at: at } }: { issue: ProtectionIssue }) {
  return <RichText message={m.protection_last_seen} tags={{ time: () => <TimeAgo at={at} /> }} />
}

/** How often and when it was seen. */
export function Seen({ issue }: { issue: ProtectionIssue }) {
  return (
    <p className="mt-3 flex flex-wrap gap-x-4 gap-y-1 text-13 text-ink-3 tabular-nums">
      <span>{timesSeen(issue.occurrences)}</span>
      <span>
        <FirstSeen issue={issue} />
      </span>
      {issue.occurrences > 1 && (
        <span>
          <LastSeen issue={issue} />
        </span>
      )}
    </p>
  )
}

const issuesOfServerOptions = (serverId: string) =>
  queryOptions({
    queryKey: [PROTECTION, 'server', serverId],
    queryFn: async ({ signal }): Promise<ProtectionIssue[]> => {
      const query = { server_id: serverId, per_page: '100' }
      return (await call('GET /api/admin/protection-issues', { query, signal, fullBody: true })).data
    },
  })

/** One server's issues for administrators, including those of its former owners. */
export function ServerIssues({ serverId }: { serverId: string }) {
  const list = useQuery({ ...issuesOfServerOptions(serverId), ...POLLING })
  return <Issues list={list} viewer="administrator" ofServer />
}

interface RefreshErrorProps {
  query: { error: Error | null; refetch: () => Promise<unknown> }
  className: string
}

/** Shown above a cached issue after its refresh failed. */
export function RefreshErrorNote({ query, className }: RefreshErrorProps) {
  if (isStatus(query.error, 404)) return <WarnNote className={className}>{m.protection_issue_erased()}</WarnNote>
  return <QueryPending query={query} className={className} />
}
