import { useSuspenseQuery } from '@tanstack/react-query'
import { m } from '#messages'
import { IssueList } from '#web/features/protection/issue-list.tsx'
import { meOptions } from '#web/features/session/session.api.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { BackLink } from '#web/ui/back-link.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'

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
