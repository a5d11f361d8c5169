/** The parts of a user's page, each with an address of its own. */
import { useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { AdminUser } from '#contract/users-admin.ts'
import { AuditPart } from '#web/features/activity/audit/audit-part.tsx'
import { Grants } from '#web/features/benefits/admin/grants.tsx'
import { TierCard } from '#web/features/benefits/admin/tier-card.tsx'
import { IssueList } from '#web/features/protection/issue-list.tsx'
import { Fullness } from '#web/features/servers/admin/fullness.tsx'
import { ServerColumns, ServerRow } from '#web/features/servers/server-row.tsx'
import { meOptions } from '#web/features/session/session.api.ts'
import { adminUserOptions } from '#web/features/users/admin/admin-user.api.ts'
import { BanCard } from '#web/features/users/admin/ban-user.tsx'
import { LimitsCard } from '#web/features/users/admin/limits-card.tsx'
import { useTitle } from '#web/lib/use-title.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'

/** @param part names it in the browser's tab. */
function useAdminUser(part: string): AdminUser {
  const { user_id } = useParams({ from: '/member/admin/users/$user_id' })
  const { data: user } = useSuspenseQuery(adminUserOptions(user_id))
  useTitle(`${part} of ${user.discord.username}`)
  return user
}

export function AdminUserServersPage() {
  const user = useAdminUser('Servers')
  const name = user.discord.username
  if (user.masterListTokens.length === 0) {
    return <EmptyState title="No servers">{name} has not registered a server, or has handed them all on.</EmptyState>
  }
  return (
    <section aria-label={`Servers of ${name}`} className="card overflow-hidden">
      <ServerColumns />
      <ul className="divide-y divide-line">
        {user.masterListTokens.map((server) => (
          <ServerRow
            key={server.public_id}
            server={server}
            graph={<Fullness live={server.live} />}
            link={{ to: '/admin/servers/$server_id', params: { server_id: server.public_id } }}
            menu={null}
          />
        ))}
      </ul>
    </section>
  )
}

export function AdminUserBenefitsPage() {
  const user = useAdminUser('Benefits')
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

export function AdminUserSettingsPage() {
  const user = useAdminUser('Settings')
  const { data: me } = useSuspenseQuery(meOptions)
  return (
    <div className="max-w-[840px] space-y-5">
      <LimitsCard key={`limits ${user.id}`} user={user} />
      <TierCard key={`tier ${user.id}`} user={user} />
      <BanCard key={`ban ${user.id}`} user={user} isSelf={me.id === user.id} />
    </div>
  )
}

export function AdminUserActivityPage() {
  const user = useAdminUser('Activity')
  return (
    <div className="max-w-[840px]">
      <AuditPart key={user.id} targetId={user.id} />
    </div>
  )
}

export function AdminUserProtectionPage() {
  const user = useAdminUser('Protection issues')
  return (
    <div className="max-w-[840px]">
      <IssueList key={user.id} userId={user.id} viewer="administrator" />
    </div>
  )
}
