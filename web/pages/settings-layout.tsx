import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link, Outlet, useRouterState } from '@tanstack/react-router'
import { m } from '#messages'
import { issuesOfUserOptions } from '#web/features/protection/protection.api.ts'
import { meOptions } from '#web/features/session/session.api.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { LinkTabs } from '#web/ui/tabs.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'

const PARTS = [
  { to: '/settings/managers', label: m.nav_managers() },
  { to: '/settings/transfers', label: m.nav_transfers() },
  { to: '/settings/activity', label: m.nav_activity() },
  { to: '/settings/delete-account', label: m.settings_delete(), more: m.settings_delete_rest() },
] as const satisfies { to: string; label: string; more?: string }[]

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
          tabs={PARTS.map(({ to, label, ...rest }) => ({
            to,
            label: (
              <>
                {label}
                {'more' in rest && <span className="max-sm:hidden"> {rest.more}</span>}
              </>
            ),
          }))}
        />
      </div>
      <Outlet />
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
