import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link, Outlet, useRouterState } from '@tanstack/react-router'
import { issuesOfUserOptions } from '#web/features/protection/protection.api.ts'
import { meOptions } from '#web/features/session/session.api.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { LinkTabs } from '#web/ui/tabs.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'

const PARTS = [
  { to: '/settings/managers', label: 'Managers' },
  { to: '/settings/transfers', label: 'Transfers' },
  { to: '/settings/activity', label: 'Activity' },
  { to: '/settings/delete-account', label: 'Delete', more: 'account' },
] as const satisfies { to: string; label: string; more?: string }[]

export function SettingsLayout() {
  const path = useRouterState({ select: (state) => state.location.pathname.replace(/\/$/, '') })
  const current = path === '/settings' ? '/settings/managers' : path
  return (
    <>
      <PageHeader title="Settings" action={<ProtectionLink />} />
      <div className="-mt-3">
        <LinkTabs
          label="Settings"
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

/** Nothing for an owner about whose servers nothing was ever found. */
function ProtectionLink() {
  const { data: me } = useSuspenseQuery(meOptions)
  const { data: issues = [] } = useQuery(issuesOfUserOptions(me.id))
  if (issues.length === 0) return null
  return (
    <Link to="/protection-issues" className={buttonClass()}>
      Protection issues
    </Link>
  )
}
