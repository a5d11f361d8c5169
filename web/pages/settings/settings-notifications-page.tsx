import { useSuspenseQuery } from '@tanstack/react-query'
import { m } from '#messages'
import { NotificationSwitches } from '#web/features/preferences/notification-switches.tsx'
import { preferencesOptions, useChangePreferences } from '#web/features/preferences/preferences.api.ts'
import { useTitle } from '#web/lib/use-title.ts'

export function SettingsNotificationsPage() {
  const { notifications } = useSuspenseQuery(preferencesOptions).data
  const { mutate } = useChangePreferences()
  useTitle(m.nav_notifications())
  return (
    <div className="space-y-5">
      <p className="text-pretty text-ink-2">
        {m.preferences_notifications_hint()} {m.preferences_notifications_always()}
      </p>
      <NotificationSwitches value={notifications} onChange={(change) => mutate({ notifications: change })} />
    </div>
  )
}
