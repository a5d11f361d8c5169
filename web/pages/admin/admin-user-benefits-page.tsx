import { useSuspenseQuery } from '@tanstack/react-query'
import { m } from '#messages'
import { Grants } from '#web/features/benefits/admin/grants.tsx'
import { TierCard } from '#web/features/benefits/admin/tier-card.tsx'
import { meOptions } from '#web/features/session/session.api.ts'
import { useAdminUser } from './use-admin-user.ts'

export function AdminUserBenefitsPage() {
  const user = useAdminUser(m.nav_benefits())
  const { data: me } = useSuspenseQuery(meOptions)
  return (
    <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-[minmax(0,1fr)_340px]">
      <div className="lg:order-last">
        <TierCard key={user.id} user={user} />
      </div>
      <Grants key={user.id} user={user} isSelf={me.id === user.id} />
    </div>
  )
}
