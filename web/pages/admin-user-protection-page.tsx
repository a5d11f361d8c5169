import { useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { IssueList } from '#web/features/protection/issue-list.tsx'
import { adminUserOptions } from '#web/features/users/admin/admin-user.api.ts'
import { useTitle } from '#web/lib/use-title.ts'

/** What the list's own checks found about one person's servers. */
export function AdminUserProtectionPage() {
  const { user_id } = useParams({ from: '/member/admin/users/$user_id/protection' })
  const { data: user } = useSuspenseQuery(adminUserOptions(user_id))
  useTitle(`Protection issues of ${user.discord.username}`)
  return (
    <div className="max-w-[840px]">
      <IssueList key={user.id} userId={user.id} viewer="administrator" />
    </div>
  )
}
