import { m } from '#messages'
import { IssueList } from '#web/features/protection/issue-list.tsx'
import { useAdminUser } from './use-admin-user.ts'

export function AdminUserProtectionPage() {
  const user = useAdminUser(m.nav_protection_issues())
  return (
    <div className="max-w-[840px]">
      <IssueList key={user.id} userId={user.id} viewer="administrator" />
    </div>
  )
}
