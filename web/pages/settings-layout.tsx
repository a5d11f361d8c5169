import { Link, Outlet, useRouterState } from '@tanstack/react-router'
import { cx } from '#web/ui/class-names.ts'
import { PageHeader } from '#web/ui/page-header.tsx'
import { showInRow } from '#web/ui/show-in-row.ts'

const PARTS = [
  { to: '/settings/managers', label: 'Managers' },
  { to: '/settings/transfers', label: 'Transfers' },
  { to: '/settings/activity', label: 'Activity' },
  { to: '/settings/delete-account', label: 'Delete', more: 'account' },
] as const satisfies { to: string; label: string; more?: string }[]

/** The settings under one header. Each part is a page of its own with an address of its own. */
export function SettingsLayout() {
  const path = useRouterState({ select: (state) => state.location.pathname.replace(/\/$/, '') })
  const current = path === '/settings' ? '/settings/managers' : path
  return (
    <>
      <PageHeader title="Settings" />
      <nav
        aria-label="Settings"
        className="relative -mx-4 -mt-3 mb-6 flex gap-1 overflow-x-auto border-b border-line px-4 [scrollbar-width:none] sm:mx-0 sm:px-0"
      >
        {PARTS.map(({ to, label, ...rest }) => (
          <Link
            key={to}
            to={to}
            activeProps={{}}
            aria-current={to === current ? 'page' : undefined}
            ref={to === current ? showInRow : undefined}
            className={cx(
              '-mb-px inline-flex shrink-0 items-center border-b-2 px-3 py-2.5 text-14 font-medium outline-offset-[-3px] transition-colors duration-100 pointer-coarse:min-h-11',
              to === current ? 'border-accent text-ink-1' : 'border-transparent text-ink-3 hover:text-ink-1',
            )}
          >
            <span>
              {label}
              {'more' in rest && <span className="max-sm:hidden"> {rest.more}</span>}
            </span>
          </Link>
        ))}
      </nav>
      <Outlet />
    </>
  )
}
