import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { m } from '#messages'
import { LimitsUsedCard, ProfileCard } from '#web/features/account/profile-card.tsx'
import { groupsOptions } from '#web/features/groups/groups.api.ts'
import { serverListOptions } from '#web/features/servers/servers.api.ts'
import { meOptions } from '#web/features/session/session.api.ts'
import { useTitle } from '#web/lib/use-title.ts'

export function SettingsProfilePage() {
  const { data: me } = useSuspenseQuery(meOptions)
  const { data: list } = useSuspenseQuery(serverListOptions)
  const { data: groups } = useQuery(groupsOptions)
  useTitle(m.nav_profile())
  return (
    <div className="space-y-5">
      <ProfileCard me={me} />
      <LimitsUsedCard
        limits={[
          { label: m.nav_servers(), used: list.owned.length, max: me.max_masterlist_tokens },
          { label: m.nav_managers(), used: me.gived_managements.length, max: me.max_managers },
          { label: m.users_groups(), used: groups?.length, max: me.max_masterlist_groups },
        ]}
      />
    </div>
  )
}
