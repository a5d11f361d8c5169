import { useInfiniteQuery } from '@tanstack/react-query'
import { ArrowRightLeft, ShieldAlert } from 'lucide-react'
import { ISSUES } from '#contract/protection/issue-kinds.ts'
import type { ProtectionIssue } from '#contract/protection/protection.ts'
import type { ServerTransfer } from '#contract/servers/transfers.ts'
import { m } from '#messages'
import { isOpen } from '#web/features/protection/issue-labels.ts'
import { counted } from '#web/ui/count-text.ts'
import { NoticeLine } from '#web/ui/notice-line.tsx'
import { inboxOptions } from './notifications.api.ts'

interface AnswerLinesProps {
  transfers: readonly ServerTransfer[]
  issues: readonly ProtectionIssue[]
}

/** One line for all transfer requests, and one for all open issues. Each opens the only item in the inbox, or the inbox. */
export function AnswerLines({ transfers, issues }: AnswerLinesProps) {
  return (
    <>
      <TransfersLine transfers={transfers} />
      <IssuesLine issues={issues.filter(isOpen)} />
    </>
  )
}

const inboxLink = (items: readonly { id: string }[]) => ({
  to: '/inbox' as const,
  search: items.length === 1 ? { item: items[0]?.id } : {},
})

function TransfersLine({ transfers }: Pick<AnswerLinesProps, 'transfers'>) {
  if (transfers.length === 0) return null
  return (
    <NoticeLine
      {...inboxLink(transfers)}
      icon={<ArrowRightLeft size={16} className="text-accent" aria-hidden="true" />}
      title={m.transfers_requests(counted(transfers.length))}
      details={transfers
        .map(({ token, from_user: from }) => m.transfers_line({ server: token.name, user: from.discord.username }))
        .join(' · ')}
    />
  )
}

function IssuesLine({ issues }: Pick<AnswerLinesProps, 'issues'>) {
  const { data: inbox } = useInfiniteQuery(inboxOptions())
  if (issues.length === 0) return null
  // An answered issue can leave the inbox while it is still open.
  const isInInbox = inbox?.notifications.some(({ link }) => issues.some(({ id }) => link.endsWith(`/${id}`))) !== false
  return (
    <NoticeLine
      {...(isInInbox ? inboxLink(issues) : { to: '/protection-issues' })}
      icon={<ShieldAlert size={16} className="text-warn" aria-hidden="true" />}
      title={m.protection_open_title(counted(issues.length))}
      details={issues.map(detailsOf).join(' · ')}
    />
  )
}

function detailsOf({ kind, server }: ProtectionIssue): string {
  const name = ISSUES[kind].name()
  return server ? m.protection_open_line({ kind: name, server: server.name }) : name
}
