import { useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { adminUserOptions } from '#web/features/benefits/admin/admin-benefits.api.ts'
import { Grants } from '#web/features/benefits/admin/grants.tsx'
import { PersonHeader } from '#web/features/benefits/admin/person-header.tsx'
import { TierCard } from '#web/features/benefits/admin/tier-card.tsx'
import { meOptions } from '#web/features/session/session.api.ts'
import { useTitle } from '#web/lib/use-title.ts'
import '#web/ui/mono.css'

/** What an administrator gives to one person. */
export function AdminUserBenefitsPage() {
  const { user_id } = useParams({ from: '/member/admin/users/$user_id/benefits' })
  const { data: user } = useSuspenseQuery(adminUserOptions(user_id))
  const { data: me } = useSuspenseQuery(meOptions)
  const isSelf = me.id === user.id
  useTitle(`Benefits of ${user.discord.username}`)
  return (
    <>
      <PersonHeader user={user} isSelf={isSelf} />
      <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-[minmax(0,1fr)_340px]">
        <div className="lg:order-last">
          <TierCard key={user.id} user={user} />
        </div>
        <Grants key={user.id} user={user} isSelf={isSelf} />
      </div>
    </>
  )
}
