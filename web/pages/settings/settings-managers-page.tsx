import { useSuspenseQuery } from '@tanstack/react-query'
import { m } from '#messages'
import { RecentActivity } from '#web/features/activity/recent-activity.tsx'
import { AddManager } from '#web/features/managers/manager-permissions.tsx'
import { ManagerList, ReceivedGrants } from '#web/features/managers/manager-grants.tsx'
import { meOptions } from '#web/features/session/session.api.ts'
import { useTitle } from '#web/lib/use-title.ts'
import '#web/ui/mono.css'

export function SettingsManagersPage() {
  const { data: me } = useSuspenseQuery(meOptions)
  useTitle(m.nav_managers())
  return (
    <div className="space-y-5">
      <AddManager me={me} />
      <ManagerList me={me} />
      <ReceivedGrants me={me} />
      <RecentActivity />
    </div>
  )
}
