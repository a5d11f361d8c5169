import { useQuery } from '@tanstack/react-query'
import { ShieldAlert } from 'lucide-react'
import { ISSUES } from '#contract/protection/issue-kinds.ts'
import type { Server } from '#contract/servers/servers.ts'
import { m } from '#messages'
import { counted } from '#web/ui/count-text.ts'
import { NoticeLine, QuietLine } from '#web/ui/notice-line.tsx'
import { isOpen } from './issue-labels.tsx'
import { issuesOfUserOptions } from './protection.api.ts'

interface ServerOpenIssuesProps {
  server: Server
  /** IDs of issues that the page already shows. */
  except: readonly (string | undefined)[]
  /** Says so if there are none. */
  saysNone: boolean
}

/** The open issues of one server in one line, for its owner. The route loader has fetched them, so the page does not shift. */
export function ServerOpenIssues({ server, except, saysNone }: ServerOpenIssuesProps) {
  const { data = [] } = useQuery(issuesOfUserOptions(server.user_id))
  const open = data.filter((issue) => isOpen(issue) && issue.server?.public_id === server.public_id && !except.includes(issue.id))
  const [first] = open
  if (!first) {
    return saysNone && <QuietLine>{m.inbox_none_to_answer()}</QuietLine>
  }
  return (
    <NoticeLine
      {...(open.length === 1 ? { to: '/protection-issues/$issue_id', params: { issue_id: first.id } } : { to: '/protection-issues' })}
      icon={<ShieldAlert size={16} className="text-warn" aria-hidden="true" />}
      title={m.protection_open_title(counted(open.length))}
      details={open.map(({ kind }) => ISSUES[kind].name()).join(' · ')}
    />
  )
}
