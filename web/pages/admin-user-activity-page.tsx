import { m } from '#messages'
import { AuditPart } from '#web/features/activity/audit/audit-part.tsx'
import { useAdminUser } from './use-admin-user.ts'

export function AdminUserActivityPage() {
  const user = useAdminUser(m.nav_activity())
  return (
    <div className="max-w-[840px]">
      <AuditPart key={user.id} targetId={user.id} />
    </div>
  )
}
