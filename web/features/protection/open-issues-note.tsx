import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ShieldAlert } from 'lucide-react'
import { ISSUES } from '#contract/issue-kinds.ts'
import type { ProtectionIssue } from '#contract/protection.ts'
import type { Server } from '#contract/servers.ts'
import { ConsequenceBadge } from './issue-badges.tsx'
import { issuesOfUserOptions } from './protection.api.ts'
import { isOpen } from './issue-labels.ts'

const SHOWN = 3

interface FindingsNoteProps {
  issues: readonly ProtectionIssue[]
  /** Only those of this server, which is not named again on its own page. */
  serverId?: string | undefined
  except?: readonly (string | undefined)[] | undefined
}

export function OpenIssuesNote({ issues, serverId, except = [] }: FindingsNoteProps) {
  const onServer = serverId !== undefined
  const isMeant = ({ id, server }: ProtectionIssue) => (!onServer || server?.public_id === serverId) && !except.includes(id)
  const open = issues.filter((issue) => isOpen(issue) && isMeant(issue))
  if (open.length === 0) return null
  return (
    <section aria-labelledby="findings" className="mb-6 flex gap-3 rounded-10 border border-line tint-warn p-4">
      <ShieldAlert size={18} className="mt-0.5 shrink-0 text-warn" aria-hidden="true" />
      <div className="min-w-0 flex-1">
        <h2 id="findings" className="font-medium">
          {open.length === 1 ? '1 finding' : `${open.length} findings`}
          {!onServer && ' about your servers'}
        </h2>
        <ul className="mt-1.5 space-y-1.5">
          {open.slice(0, SHOWN).map((issue) => (
            <Finding key={issue.id} issue={issue} namesServer={!onServer} />
          ))}
        </ul>
        {open.length > SHOWN && (
          <Link
            to="/protection-issues"
            className="mt-2 inline-flex min-h-6 items-center rounded-6 text-13 font-medium text-accent hover:underline"
          >
            See all {open.length}
          </Link>
        )}
      </div>
    </section>
  )
}

/** What was found about one server and is still open, for its owner. The route has read it: nothing is pushed down by it. */
export function ServerOpenIssues({ server, except }: { server: Server; except: readonly (string | undefined)[] }) {
  const { data = [] } = useQuery(issuesOfUserOptions(server.user_id))
  return <OpenIssuesNote issues={data} serverId={server.public_id} except={except} />
}

function Finding({ issue, namesServer }: { issue: ProtectionIssue; namesServer: boolean }) {
  return (
    <li className="flex flex-wrap items-center gap-x-2.5 gap-y-1 text-13">
      <Link
        to="/protection-issues/$issue_id"
        params={{ issue_id: issue.id }}
        className="inline-flex min-h-6 min-w-0 items-center rounded-6 font-medium text-ink-1 underline decoration-line-strong underline-offset-2 hover:decoration-current pointer-coarse:min-h-11"
      >
        {ISSUES[issue.kind].name}
      </Link>
      {namesServer && issue.server && <span className="min-w-0 [overflow-wrap:anywhere] text-ink-2">{issue.server.name}</span>}
      {issue.consequence !== 'NOTICE' && <ConsequenceBadge consequence={issue.consequence} />}
    </li>
  )
}
