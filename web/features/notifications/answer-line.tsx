import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { ArrowRightLeft, ShieldAlert } from 'lucide-react'
import { ISSUES } from '#contract/protection/issue-kinds.ts'
import type { ProtectionIssue } from '#contract/protection/protection.ts'
import type { ServerTransfer } from '#contract/servers/transfers.ts'
import { m } from '#messages'
import { issuesOfUserOptions } from '#web/features/protection/protection.api.ts'
import { counted } from '#web/ui/count-text.ts'
import { NoticeLine, QuietLine } from '#web/ui/notice-line.tsx'
import { inboxOptions } from './notifications.api.ts'

/** What needs an answer, in one line. It is there before the issues are, so that they don't move the page. */
export function AnswerLine({ userId, transfers }: { userId: string; transfers: readonly ServerTransfer[] }) {
  const { data } = useQuery(issuesOfUserOptions(userId))
  const { data: inbox } = useInfiniteQuery(inboxOptions())
  const isPinned = ({ id }: ProtectionIssue) => inbox?.notifications.some(({ pinned, link }) => pinned && link.endsWith(`/${id}`)) === true
  // An acknowledged or answered issue may still be open.
  const issues = (data ?? []).filter(isPinned)
  if (transfers.length + issues.length === 0) {
    // Without the issues, nobody knows.
    return data && inbox ? <QuietLine>{m.inbox_none_to_answer()}</QuietLine> : <div className="min-h-9 pointer-coarse:min-h-11" />
  }
  const items = [...transfers, ...issues]
  return (
    <NoticeLine
      to="/inbox"
      search={items.length === 1 ? { item: items[0]?.id } : {}}
      icon={
        issues.length > 0 ? (
          <ShieldAlert size={16} className="text-warn" aria-hidden="true" />
        ) : (
          <ArrowRightLeft size={16} className="text-accent" aria-hidden="true" />
        )
      }
      title={titleOf(transfers.length, issues.length)}
      details={[
        ...(transfers.length > 0 && issues.length > 0 ? [m.transfers_requests(counted(transfers.length))] : []),
        ...transfers.map(transferText),
        ...issues.map(issueText),
      ].join(' · ')}
    />
  )
}

function titleOf(transfers: number, issues: number): string {
  if (issues === 0) return m.transfers_requests(counted(transfers))
  if (transfers === 0) return m.protection_open_title(counted(issues))
  return m.inbox_to_answer(counted(transfers + issues))
}

const transferText = ({ token, from_user: from }: ServerTransfer) => m.transfers_line({ server: token.name, user: from.discord.username })

function issueText({ kind, server }: ProtectionIssue): string {
  const name = ISSUES[kind].name()
  return server ? m.protection_open_line({ kind: name, server: server.name }) : name
}
