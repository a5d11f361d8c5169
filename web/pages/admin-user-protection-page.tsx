import { IssueList } from '#web/features/protection/issue-list.tsx'
import { useAdminUser } from './use-admin-user.ts'

/** What the list's own checks found about one person's servers. */
export function AdminUserProtectionPage() {
  const user = useAdminUser('Protection issues')
  return (
    <div className="max-w-[840px]">
      <IssueList key={user.id} userId={user.id} viewer="administrator" />
    </div>
  )
}
