import { useQuery } from '@tanstack/react-query'
import { useNavigate, useRouterState } from '@tanstack/react-router'
import { ChartLine, HeartPulse, ScrollText, ServerCog, Shield, ShieldAlert, Users } from 'lucide-react'
import { m } from '#messages'
import { cappedCount, openCountOptions } from '#web/features/protection/open-count.ts'
import { cx } from '#web/ui/class-names.ts'
import { Menu, MenuLabel, MenuItem } from '#web/ui/menu.tsx'
import { NAV_ACTIVE, NAV_ITEM, NavContent, NavLink } from './nav-link.tsx'

const ISSUES_PAGE = '/admin/protection-issues'

/** `fullLabel` is for places where `label` could also mean the user's own page. */
export const ADMIN_PAGES = [
  { to: '/admin/servers', label: m.nav_servers(), fullLabel: m.nav_all_servers(), icon: ServerCog },
  { to: '/admin/users', label: m.nav_users(), fullLabel: m.nav_all_users(), icon: Users },
  { to: ISSUES_PAGE, label: m.nav_protection(), fullLabel: m.nav_protection_issues(), icon: ShieldAlert },
  { to: '/admin/audit', label: m.nav_audit(), fullLabel: m.nav_audit_log(), icon: ScrollText },
  { to: '/admin/statistics', label: m.nav_statistics(), fullLabel: m.nav_statistics_full(), icon: ChartLine },
  { to: '/admin/status', label: m.nav_status(), fullLabel: m.installation_title(), icon: HeartPulse },
] as const

/** A section of the rail. In the bottom bar, one entry with a menu. */
export function AdminNavigation() {
  const { data: open = 0 } = useQuery(openCountOptions)
  return (
    <>
      <section aria-labelledby="admin-nav" className="mt-4 border-t border-line pt-3 max-sm:hidden">
        <h2 id="admin-nav" className="px-2.5 pb-1 text-12 text-ink-3 max-lg:sr-only">
          {m.common_administration()}
        </h2>
        <ul className="space-y-1">
          {ADMIN_PAGES.map(({ to, label, fullLabel, icon }) => {
            const count = to === ISSUES_PAGE ? open : 0
            const name = count > 0 ? m.nav_count_open({ page: fullLabel, count: cappedCount(count) }) : fullLabel
            return (
              <li key={to}>
                <NavLink to={to} label={label} aria-label={name} Icon={icon}>
                  {count > 0 && <OpenCount count={cappedCount(count)} />}
                </NavLink>
              </li>
            )
          })}
        </ul>
      </section>
      <BarMenu open={open} />
    </>
  )
}

/** The icon-only rail has room for a dot only. CSS draws the number, because the label already contains it. */
function OpenCount({ count }: { count: string }) {
  return (
    <span
      aria-hidden="true"
      className="rounded-full tint-warn px-1.5 text-12 leading-5 font-medium text-warn tabular-nums sm:max-lg:absolute sm:max-lg:top-1.5 sm:max-lg:right-1 sm:max-lg:size-2 sm:max-lg:bg-warn sm:max-lg:p-0"
    >
      <span data-count={count} className="before:content-[attr(data-count)] sm:max-lg:hidden" />
    </span>
  )
}

function BarMenu({ open }: { open: number }) {
  const navigate = useNavigate()
  const isCurrent = useRouterState({ select: ({ location }) => location.pathname.startsWith('/admin/') })
  return (
    <Menu
      label={m.common_administration()}
      side="top"
      trigger={
        <button
          type="button"
          aria-label={open > 0 ? m.nav_admin_open({ count: open, shown: cappedCount(open) }) : m.nav_admin()}
          className={cx(NAV_ITEM, 'sm:hidden', isCurrent && NAV_ACTIVE)}
        >
          <NavContent Icon={Shield} label={m.nav_admin()}>
            {open > 0 && <span aria-hidden="true" className="absolute top-1 left-1/2 ml-2 size-2 rounded-full bg-warn" />}
          </NavContent>
        </button>
      }
    >
      <MenuLabel>{m.common_administration()}</MenuLabel>
      {ADMIN_PAGES.map(({ to, label, icon: Icon }) => (
        <MenuItem key={to} icon={<Icon size={15} />} onSelect={() => void navigate({ to })}>
          <span className="flex-1">{label}</span>
          {to === ISSUES_PAGE && open > 0 && (
            <span className="rounded-full tint-warn px-1.5 text-12 font-medium text-warn tabular-nums">
              <span aria-hidden="true">{cappedCount(open)}</span>
              <span className="sr-only">{m.nav_open({ count: cappedCount(open) })}</span>
            </span>
          )}
        </MenuItem>
      ))}
    </Menu>
  )
}
