import { m } from '#messages'
import { AuditSection } from '#web/features/activity/audit/audit-section.tsx'
import { useAdminUser } from './use-admin-user.ts'

export function AdminUserActivityPage() {
  const user = useAdminUser(m.nav_activity())
  return (
    <div className="max-w-[840px]">
      <AuditSection key={user.id} targetId={user.id} />
    </div>
  )
}
