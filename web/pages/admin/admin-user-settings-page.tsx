import { useSuspenseQuery } from '@tanstack/react-query'
import { m } from '#messages'
import { TierCard } from '#web/features/benefits/admin/tier-card.tsx'
import { meOptions } from '#web/features/session/session.api.ts'
import { BanCard } from '#web/features/users/admin/ban-user.tsx'
import { LimitsCard } from '#web/features/users/admin/limits-card.tsx'
import { useAdminUser } from './use-admin-user.ts'

export function AdminUserSettingsPage() {
  const user = useAdminUser(m.nav_settings())
  const { data: me } = useSuspenseQuery(meOptions)
  return (
    <div className="max-w-[840px] space-y-5">
      <LimitsCard key={`limits ${user.id}`} user={user} />
      <TierCard key={`tier ${user.id}`} user={user} />
      <BanCard key={`ban ${user.id}`} user={user} isSelf={me.id === user.id} />
    </div>
  )
}
