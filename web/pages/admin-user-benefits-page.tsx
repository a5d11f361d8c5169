import { useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Grants } from '#web/features/benefits/admin/grants.tsx'
import { TierCard } from '#web/features/benefits/admin/tier-card.tsx'
import { meOptions } from '#web/features/session/session.api.ts'
import { adminUserOptions } from '#web/features/users/admin/admin-user.api.ts'
import { useTitle } from '#web/lib/use-title.ts'

/** What an administrator gives to one person. */
export function AdminUserBenefitsPage() {
  const { user_id } = useParams({ from: '/member/admin/users/$user_id/benefits' })
  const { data: user } = useSuspenseQuery(adminUserOptions(user_id))
  const { data: me } = useSuspenseQuery(meOptions)
  useTitle(`Benefits of ${user.discord.username}`)
  return (
    <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-[minmax(0,1fr)_340px]">
      <div className="lg:order-last">
        <TierCard key={user.id} user={user} />
      </div>
      <Grants key={user.id} user={user} isSelf={me.id === user.id} />
    </div>
  )
}
