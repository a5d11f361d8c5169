import { useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { AuditPart } from '#web/features/activity/audit/audit-part.tsx'
import { adminUserOptions } from '#web/features/users/admin/admin-user.api.ts'
import { useTitle } from '#web/lib/use-title.ts'

/** What the audit log has about one person. */
export function AdminUserActivityPage() {
  const { user_id } = useParams({ from: '/member/admin/users/$user_id/activity' })
  const { data: user } = useSuspenseQuery(adminUserOptions(user_id))
  useTitle(`Activity of ${user.discord.username}`)
  return (
    <div className="max-w-[840px]">
      <AuditPart key={user.id} targetId={user.id} />
    </div>
  )
}
