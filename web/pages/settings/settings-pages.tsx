/** The settings and their sections. Those of webhooks are in `settings-webhook-pages.tsx`. */
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Outlet, useRouterState } from '@tanstack/react-router'
import { useId } from 'react'
import type { Language } from '#contract/text/panel-languages.ts'
import { m } from '#messages'
import { DeleteAccount, ExportCard, ProfileCard } from '#web/features/account/account-cards.tsx'
import { SignInWays, identitiesOptions } from '#web/features/account/sign-in-ways.tsx'
import { ActivityList, RecentActivity } from '#web/features/activity/activity-list.tsx'
import { accountActivityOptions } from '#web/features/activity/activity.api.ts'
import { ApiKeysPanel } from '#web/features/api-keys/api-keys-panel.tsx'
import { groupsOptions } from '#web/features/groups/groups.api.ts'
import { ManagerList, ReceivedGrants } from '#web/features/managers/manager-grants.tsx'
import { AddManager } from '#web/features/managers/manager-permissions.tsx'
import { NotificationSwitches } from '#web/features/preferences/notification-switches.tsx'
import { LanguageField, ThemeChoice, TimeZoneField } from '#web/features/preferences/preference-fields.tsx'
import { preferencesOptions, useChangePreferences } from '#web/features/preferences/preferences.api.ts'
import { serverListOptions } from '#web/features/servers/servers.api.ts'
import { providersOptions } from '#web/features/session/providers.api.ts'
import { meOptions } from '#web/features/session/session.api.ts'
import { SessionList, sessionsOptions } from '#web/features/sessions/session-list.tsx'
import { IncomingTransfer } from '#web/features/transfers/incoming-transfers.tsx'
import { OutgoingTransfer } from '#web/features/transfers/outgoing-transfer.tsx'
import { LimitMeters } from '#web/features/users/limits.tsx'
import { WebhookList } from '#web/features/webhooks/webhook-list.tsx'
import { webhooksOptions } from '#web/features/webhooks/webhooks.api.ts'
import { applyAccountLanguage } from '#web/lib/language-choice.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { Card, ListCard } from '#web/ui/card.tsx'
import '#web/ui/mono.css'
import { PageHeader } from '#web/ui/page-header.tsx'
import { RichText } from '#web/ui/rich-text.tsx'
import { SectionNavigation } from '#web/ui/section-navigation.tsx'

const SECTIONS = [
  { to: '/settings/profile', label: m.nav_profile() },
  { to: '/settings/preferences', label: m.nav_preferences() },
  { to: '/settings/sessions', label: m.nav_sessions() },
  { to: '/settings/api-keys', label: m.nav_api_keys() },
  { to: '/settings/notifications', label: m.nav_notifications() },
  { to: '/settings/webhooks', label: m.nav_webhooks() },
  { to: '/settings/managers', label: m.nav_managers() },
  { to: '/settings/transfers', label: m.nav_transfers() },
  { to: '/settings/activity', label: m.nav_activity() },
  // A page of its own.
  { to: '/protection-issues', label: m.nav_protection_issues() },
  { to: '/settings/delete-account', label: m.nav_delete_account() },
] as const

export function SettingsLayout() {
  const path = useRouterState({ select: (state) => state.location.pathname.replace(/\/$/, '') })
  // A page of one webhook belongs to the section of all of them.
  const current = SECTIONS.find(({ to }) => path === to || path.startsWith(`${to}/`))?.to ?? '/settings/managers'
  return (
    <>
      <PageHeader title={m.nav_settings()} />
      <SectionNavigation label={m.nav_settings()} sections={SECTIONS} current={current}>
        <Outlet />
      </SectionNavigation>
    </>
  )
}

export function SettingsProfilePage() {
  const { data: me } = useSuspenseQuery(meOptions)
  const { data: list } = useSuspenseQuery(serverListOptions)
  const { data: groups } = useQuery(groupsOptions)
  const { data: identities } = useSuspenseQuery(identitiesOptions)
  const { data: providers } = useSuspenseQuery(providersOptions)
  const used = { servers: list.owned.length, managers: me.gived_managements.length, groups: groups?.length }
  useTitle(m.nav_profile())
  return (
    <div className="space-y-5">
      <ProfileCard me={me} />
      <SignInWays identities={identities} providers={providers} />
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

export function SettingsPreferencesPage() {
  const { language, theme, time_zone: timeZone } = useSuspenseQuery(preferencesOptions).data
  const { mutate } = useChangePreferences()
  const { mutate: saveLanguage, isPending, isSuccess } = useChangePreferences()
  const changeLanguage = (next: Language | null) => {
    const reload = () => {
      applyAccountLanguage(next)
      location.reload()
    }
    saveLanguage({ language: next }, { onSuccess: reload })
  }
  useTitle(m.nav_preferences())
  return (
    <div className="space-y-5">
      <Card title={m.preferences_theme()} description={m.preferences_theme_hint()}>
        <ThemeChoice value={theme} onChange={(next) => mutate({ theme: next })} />
      </Card>
      <Card title={m.preferences_language()} description={m.preferences_language_hint()}>
        <LanguageField value={language} busy={isPending || isSuccess} onChange={changeLanguage} />
      </Card>
      <Card title={m.preferences_times()} description={m.preferences_times_hint()}>
        <TimeZoneField value={timeZone} onChange={(next) => mutate({ time_zone: next })} />
      </Card>
    </div>
  )
}

export function SettingsTransfersPage() {
  const { data: list } = useSuspenseQuery(serverListOptions)
  useTitle(m.nav_transfers())
  const { incoming_transfers: incoming, outgoing_transfers: outgoing } = list
  const id = useId()
  return (
    <div className="space-y-8">
      <section aria-labelledby={id}>
        <h2 id={id} tabIndex={-1} className="mb-3 font-medium outline-none">
          {m.transfers_page_incoming()}
        </h2>
        <div className="space-y-3">
          {incoming.length === 0 && <p className="card px-5 py-6 text-13 text-ink-2">{m.transfers_page_incoming_none()}</p>}
          {incoming.map((transfer) => (
            <IncomingTransfer key={transfer.id} transfer={transfer} />
          ))}
        </div>
      </section>
      <ListCard title={m.transfers_page_outgoing()}>
        {outgoing.length === 0 && (
          <p className="px-5 py-6 text-13 text-pretty text-ink-2">
            <RichText
              message={m.transfers_page_outgoing_none}
              tags={{ b: (text) => <strong className="font-medium text-ink-1">{text}</strong> }}
            />
          </p>
        )}
        {outgoing.map((transfer) => (
          <OutgoingTransfer key={transfer.id} transfer={transfer} />
        ))}
      </ListCard>
    </div>
  )
}
