import { useSuspenseQuery } from '@tanstack/react-query'
import { IssueList } from '#web/features/protection/issue-list.tsx'
import { meOptions } from '#web/features/session/session.api.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { BackLink } from '#web/ui/back-link.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'

export function ProtectionIssuesPage() {
  const { data: me } = useSuspenseQuery(meOptions)
  useTitle('Protection issues')
  return (
    <>
      <PageHeader
        above={<BackLink to="/servers">Servers</BackLink>}
        title="Protection issues"
        below="What the list’s own checks found about your servers, what follows from it, and the way out."
      />
      <div className="max-w-[840px]">
        <IssueList userId={me.id} viewer="owner" />
      </div>
    </>
  )
}
