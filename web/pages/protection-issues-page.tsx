import { useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { m } from '#messages'
import { IssueList } from '#web/features/protection/issue-list.tsx'
import { IssueView } from '#web/features/protection/issue-view.tsx'
import { ReplyForm, OwnerActions } from '#web/features/protection/owner-actions.tsx'
import { issueOptions } from '#web/features/protection/protection.api.ts'
import { meOptions } from '#web/features/session/session.api.ts'
import { useTitle } from '#web/lib/use-title.ts'
import '#web/ui/mono.css'
import { BackLink, PageHeader } from '#web/ui/page-header.tsx'

export function ProtectionIssuesPage() {
  const { data: me } = useSuspenseQuery(meOptions)
  useTitle(m.nav_protection_issues())
  return (
    <>
      <PageHeader
        above={<BackLink to="/servers">{m.nav_servers()}</BackLink>}
        title={m.nav_protection_issues()}
        below={m.issues_page_about()}
      />
      <div className="max-w-[840px]">
        <IssueList userId={me.id} viewer="owner" />
      </div>
    </>
  )
}

export function ProtectionIssuePage() {
  const { issue_id } = useParams({ from: '/member/protection-issues/$issue_id' })
  const { data: me } = useSuspenseQuery(meOptions)
  const { data: issue } = useSuspenseQuery(issueOptions(me.id, issue_id))
  useTitle(issue.title)
  return (
    <IssueView
      issue={issue}
      viewer="owner"
      above={<BackLink to="/protection-issues">{m.nav_protection_issues()}</BackLink>}
      actions={<OwnerActions issue={issue} />}
      reply={<ReplyForm key={issue.id} issue={issue} />}
    />
  )
}
