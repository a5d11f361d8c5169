import { m } from '#messages'
import { accountActivityOptions } from '#web/features/activity/activity.api.ts'
import { ActivityList } from '#web/features/activity/activity-list.tsx'
import { useTitle } from '#web/lib/use-title.ts'

export function SettingsActivityPage() {
  useTitle(m.nav_activity())
  return <ActivityList options={accountActivityOptions} />
}
