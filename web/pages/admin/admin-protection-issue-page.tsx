import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { m } from '#messages'
import { AdminActions } from '#web/features/protection/admin-actions.tsx'
import { IssueView } from '#web/features/protection/issue-view.tsx'
import { hasReports, issueOptions } from '#web/features/protection/protection.api.ts'
import { ReportsCard } from '#web/features/protection/reports-card.tsx'
import { RefreshErrorNote, POLLING } from '#web/features/protection/issue-list.tsx'
import { Avatar } from '#web/features/session/avatar.tsx'
import { useTitle } from '#web/lib/use-title.ts'
import '#web/ui/mono.css'
import { BackLink } from '#web/ui/page-header.tsx'

export function AdminProtectionIssuePage() {
  const { issue_id, user_id } = useParams({ from: '/member/admin/protection-issues/$issue_id/users/$user_id' })
  const query = useSuspenseQuery({ ...issueOptions(user_id, issue_id), ...POLLING })
  const { data: issue } = query
  useTitle(`${issue.title}: ${issue.user.discord.username}`)
  return (
    <IssueView
      issue={issue}
      viewer="administrator"
      above={
        <>
          <RefreshErrorNote className="mb-4" query={query} />
          <BackLink to="/admin/protection-issues">{m.nav_protection_issues()}</BackLink>
        </>
      }
      owner={
        <span className="inline-flex min-w-0 items-center gap-1.5">
          <span className="text-ink-3">{m.issues_page_owner()}</span>
          <Avatar user={issue.user.discord} size={20} />
          <Link
            to="/admin/users/$user_id"
            params={{ user_id: issue.user_id }}
            className="rounded-6 text-ink-1 underline decoration-line-strong underline-offset-2 hover:decoration-current [overflow-wrap:anywhere]"
          >
            {issue.user.discord.username}
          </Link>
        </span>
      }
      actions={<AdminActions issue={issue} />}
      reports={hasReports(issue) && <ReportsCard issue={issue} />}
    />
  )
}
