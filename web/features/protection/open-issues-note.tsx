import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ShieldAlert } from 'lucide-react'
import { ISSUES } from '#contract/issue-kinds.ts'
import type { ProtectionIssue } from '#contract/protection.ts'
import type { Server } from '#contract/servers.ts'
import { m } from '#messages'
import { counted } from '#web/ui/count-text.ts'
import { ConsequenceBadge } from './issue-badges.tsx'
import { isOpen } from './issue-labels.ts'
import { issuesOfUserOptions } from './protection.api.ts'

const MAX_SHOWN = 3

interface OpenIssuesNoteProps {
  issues: readonly ProtectionIssue[]
  /** Limits the note to one server and omits its name. */
  serverId?: string | undefined
  /** IDs of issues that the page already shows. */
  except?: readonly (string | undefined)[] | undefined
}

function OpenIssuesNote({ issues, serverId, except = [] }: OpenIssuesNoteProps) {
  const isOfServer = ({ server }: ProtectionIssue) => serverId === undefined || server?.public_id === serverId
  const open = issues.filter((issue) => isOpen(issue) && isOfServer(issue) && !except.includes(issue.id))
  if (open.length === 0) return null
  return (
    <section aria-labelledby="open-issues" className="mb-6 flex gap-3 rounded-10 border border-line tint-warn p-4">
      <ShieldAlert size={18} className="mt-0.5 shrink-0 text-warn" aria-hidden="true" />
      <div className="min-w-0 flex-1">
        <h2 id="open-issues" className="font-medium">
          {m.protection_open_title(counted(open.length))}
        </h2>
        <ul className="mt-1.5 space-y-1.5">
          {open.slice(0, MAX_SHOWN).map((issue) => (
            <OpenIssue key={issue.id} issue={issue} showsServer={serverId === undefined} />
          ))}
        </ul>
        {open.length > MAX_SHOWN && (
          <Link
            to="/protection-issues"
            className="mt-2 inline-flex min-h-6 items-center rounded-6 text-13 font-medium text-accent hover:underline"
          >
            {m.protection_open_see_all({ count: open.length })}
          </Link>
        )}
      </div>
    </section>
  )
}

/** The open issues of one server, for its owner. The route loader has fetched them, so the page does not shift. */
export function ServerOpenIssues({ server, except }: { server: Server; except: readonly (string | undefined)[] }) {
  const { data = [] } = useQuery(issuesOfUserOptions(server.user_id))
  return <OpenIssuesNote issues={data} serverId={server.public_id} except={except} />
}

function OpenIssue({ issue, showsServer }: { issue: ProtectionIssue; showsServer: boolean }) {
  return (
    <li className="flex flex-wrap items-center gap-x-2.5 gap-y-1 text-13">
      <Link
        to="/protection-issues/$issue_id"
        params={{ issue_id: issue.id }}
        className="inline-flex min-h-6 min-w-0 items-center rounded-6 font-medium text-ink-1 underline decoration-line-strong underline-offset-2 hover:decoration-current pointer-coarse:min-h-11"
      >
        {ISSUES[issue.kind].name()}
      </Link>
      {showsServer && issue.server && <span className="min-w-0 [overflow-wrap:anywhere] text-ink-2">{issue.server.name}</span>}
      {issue.consequence !== 'NOTICE' && <ConsequenceBadge consequence={issue.consequence} />}
    </li>
  )
}
