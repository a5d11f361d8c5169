/** The sections of the settings that only put features together. */
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { m } from '#messages'
import { DeleteAccount, ExportCard } from '#web/features/account/delete-account.tsx'
import { ProfileCard } from '#web/features/account/profile-card.tsx'
import { ActivityList, RecentActivity } from '#web/features/activity/activity-list.tsx'
import { accountActivityOptions } from '#web/features/activity/activity.api.ts'
import { ApiKeysPanel } from '#web/features/api-keys/api-keys-panel.tsx'
import { groupsOptions } from '#web/features/groups/groups.api.ts'
import { ManagerList, ReceivedGrants } from '#web/features/managers/manager-grants.tsx'
import { AddManager } from '#web/features/managers/manager-permissions.tsx'
import { NotificationSwitches } from '#web/features/preferences/notification-switches.tsx'
import { preferencesOptions, useChangePreferences } from '#web/features/preferences/preferences.api.ts'
import { serverListOptions } from '#web/features/servers/servers.api.ts'
import { meOptions } from '#web/features/session/session.api.ts'
import { SessionList } from '#web/features/sessions/session-list.tsx'
import { sessionsOptions } from '#web/features/sessions/sessions.api.ts'
import { LimitMeters } from '#web/features/users/limits.tsx'
import { WebhookList } from '#web/features/webhooks/webhook-list.tsx'
import { webhooksOptions } from '#web/features/webhooks/webhooks.api.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { Card } from '#web/ui/card.tsx'
import '#web/ui/mono.css'

export function SettingsProfilePage() {
  const { data: me } = useSuspenseQuery(meOptions)
  const { data: list } = useSuspenseQuery(serverListOptions)
  const { data: groups } = useQuery(groupsOptions)
  const used = { servers: list.owned.length, managers: me.gived_managements.length, groups: groups?.length }
  useTitle(m.nav_profile())
  return (
    <div className="space-y-5">
      <ProfileCard me={me} />
      <Card title={m.account_limits()}>
        <dl className="mt-4 grid grid-cols-1 gap-x-6 gap-y-4 sm:grid-cols-3">
          <LimitMeters user={me} used={used} />
        </dl>
      </Card>
    </div>
  )
}

export function SettingsSessionsPage() {
  const { data: sessions } = useSuspenseQuery(sessionsOptions)
  useTitle(m.nav_sessions())
  return <SessionList sessions={sessions} />
}

export function SettingsApiKeysPage() {
  useTitle(m.nav_api_keys())
  return <ApiKeysPanel />
}

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

export function SettingsWebhooksPage() {
  const { data: webhooks } = useSuspenseQuery(webhooksOptions)
  const { data: list } = useSuspenseQuery(serverListOptions)
  useTitle(m.nav_webhooks())
  return <WebhookList webhooks={webhooks} servers={list.owned} />
}

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

export function SettingsActivityPage() {
  useTitle(m.nav_activity())
  return <ActivityList options={accountActivityOptions} />
}

export function SettingsDeleteAccountPage() {
  const { data: me } = useSuspenseQuery(meOptions)
  const { data: list } = useSuspenseQuery(serverListOptions)
  useTitle(m.nav_delete_account())
  return (
    <div className="space-y-5">
      <ExportCard username={me.discord.username} />
      <DeleteAccount me={me} list={list} />
    </div>
  )
}
