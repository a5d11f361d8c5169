import { useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { TierCard } from '#web/features/benefits/admin/tier-card.tsx'
import { adminUserOptions } from '#web/features/users/admin/admin-user.api.ts'
import { meOptions } from '#web/features/session/session.api.ts'
import { BanCard } from '#web/features/users/admin/ban-user.tsx'
import { LimitsCard } from '#web/features/users/admin/limits-card.tsx'
import { useTitle } from '#web/lib/use-title.ts'

/** How much somebody may have, which tier counts, and whether he is let in at all. */
export function AdminUserSettingsPage() {
  const { user_id } = useParams({ from: '/member/admin/users/$user_id/settings' })
  const { data: user } = useSuspenseQuery(adminUserOptions(user_id))
  const { data: me } = useSuspenseQuery(meOptions)
  useTitle(`Settings of ${user.discord.username}`)
  return (
    <div className="max-w-[840px] space-y-5">
      <LimitsCard key={`limits ${user.id}`} user={user} />
      <TierCard key={`tier ${user.id}`} user={user} />
      <BanCard key={`ban ${user.id}`} user={user} isSelf={me.id === user.id} />
    </div>
  )
}
