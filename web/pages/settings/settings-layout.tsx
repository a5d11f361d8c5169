import { Outlet, useRouterState } from '@tanstack/react-router'
import { m } from '#messages'
import { PageHeader } from '#web/ui/page-header.tsx'
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
