import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link, Outlet, useRouterState } from '@tanstack/react-router'
import { m } from '#messages'
import { issuesOfUserOptions } from '#web/features/protection/protection.api.ts'
import { meOptions } from '#web/features/session/session.api.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { LinkTabs } from '#web/ui/tabs.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'

const TABS = [
  { to: '/settings/managers', label: m.nav_managers() },
  { to: '/settings/transfers', label: m.nav_transfers() },
  { to: '/settings/activity', label: m.nav_activity() },
  { to: '/settings/delete-account', label: m.nav_delete_account(), shortLabel: m.settings_delete_short() },
] as const satisfies { to: string; label: string; shortLabel?: string }[]

export function SettingsLayout() {
  const path = useRouterState({ select: (state) => state.location.pathname.replace(/\/$/, '') })
  const current = path === '/settings' ? '/settings/managers' : path
  return (
    <>
      <PageHeader title={m.nav_settings()} action={<ProtectionLink />} />
      <div className="-mt-3">
        <LinkTabs
          label={m.nav_settings()}
          current={current}
          tabs={TABS.map((tab) => ({ to: tab.to, label: 'shortLabel' in tab ? <ResponsiveLabel {...tab} /> : tab.label }))}
        />
      </div>
      <div className="max-w-[720px]">
        <Outlet />
      </div>
    </>
  )
}

/** The tabs must fit on a narrow screen. */
function ResponsiveLabel({ label, shortLabel }: { label: string; shortLabel: string }) {
  return (
    <>
      <span className="sm:hidden">{shortLabel}</span>
      <span className="max-sm:hidden">{label}</span>
    </>
  )
}

/** Only for owners who have or had protection issues. */
function ProtectionLink() {
  const { data: me } = useSuspenseQuery(meOptions)
  const { data: issues = [] } = useQuery(issuesOfUserOptions(me.id))
  if (issues.length === 0) return null
  return (
    <Link to="/protection-issues" className={buttonClass()}>
      {m.nav_protection_issues()}
    </Link>
  )
}
