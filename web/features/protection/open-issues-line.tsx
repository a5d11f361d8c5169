import { ShieldAlert } from 'lucide-react'
import { ISSUES } from '#contract/issue-kinds.ts'
import type { ProtectionIssue } from '#contract/protection.ts'
import { m } from '#messages'
import { counted } from '#web/ui/count-text.ts'
import { NoticeLine } from '#web/ui/notice-line.tsx'
import { isOpen } from './issue-labels.ts'

/** Leads to the only open issue, or to all. */
export function OpenIssuesLine({ issues }: { issues: readonly ProtectionIssue[] }) {
  const open = issues.filter(isOpen)
  const [first] = open
  if (first === undefined) return null
  const link = open.length > 1 ? { to: '/protection-issues' } : { to: '/protection-issues/$issue_id', params: { issue_id: first.id } }
  return (
    <NoticeLine
      {...link}
      icon={<ShieldAlert size={16} className="text-warn" aria-hidden="true" />}
      title={m.protection_open_title(counted(open.length))}
      details={open.map(detailsOf).join(' · ')}
    />
  )
}

function detailsOf({ kind, server }: ProtectionIssue): string {
  const name = ISSUES[kind].name()
  return server ? m.protection_open_line({ kind: name, server: server.name }) : name
}
