import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useRouterState } from '@tanstack/react-router'
import { Shield } from 'lucide-react'
import { m } from '#messages'
import { cappedCount, openCountOptions } from '#web/features/protection/open-count.ts'
import { cx } from '#web/ui/class-names.ts'
import { Menu, MenuLabel, MenuItem } from '#web/ui/menu.tsx'
import { ADMIN_PAGES, type AdminPage, ISSUES_PAGE, isOnPage } from './admin-pages.ts'
import { NAV_ACTIVE, NAV_ITEM, NAV_LABEL } from './nav-item.ts'

/** A section of the rail. In the bottom bar, one entry with a menu. */
export function AdminNavigation() {
  const path = useRouterState({ select: ({ location: { pathname } }) => pathname })
  const { data: open = 0 } = useQuery(openCountOptions)
  return (
    <>
      <section aria-labelledby="admin-nav" className="mt-4 border-t border-line pt-3 max-sm:hidden">
        <h2 id="admin-nav" className="px-2.5 pb-1 text-12 text-ink-3 max-lg:sr-only">
          {m.common_administration()}
        </h2>
        <ul className="space-y-1">
          {ADMIN_PAGES.map((page) => (
            <li key={page.to}>
              <PageLink page={page} isCurrent={isOnPage(path, page)} count={page.to === ISSUES_PAGE ? open : 0} />
            </li>
          ))}
        </ul>
      </section>
      <BarMenu path={path} open={open} />
    </>
  )
}

interface PageLinkProps {
  page: AdminPage
  isCurrent: boolean
  count: number
}

function PageLink({ page: { to, label, fullLabel, icon: Icon }, isCurrent, count }: PageLinkProps) {
  return (
    <Link
      to={to}
      activeProps={{}}
      aria-current={isCurrent ? 'page' : undefined}
      aria-label={count > 0 ? m.nav_count_open({ page: fullLabel, count: cappedCount(count) }) : fullLabel}
      className={cx(NAV_ITEM, 'relative', isCurrent && NAV_ACTIVE)}
    >
      <Icon size={17} className="shrink-0" aria-hidden="true" />
      <span className="flex-1 sm:max-lg:hidden">{label}</span>
      {count > 0 && (
        <span
          aria-hidden="true"
          className="rounded-full tint-warn px-1.5 text-12 leading-5 font-medium text-warn tabular-nums sm:max-lg:absolute sm:max-lg:top-1.5 sm:max-lg:right-1 sm:max-lg:size-2 sm:max-lg:bg-warn sm:max-lg:p-0"
        >
          {/* The icon-only rail has room for a dot only. CSS draws the number, because the label already contains it. */}
          <span data-count={cappedCount(count)} className="before:content-[attr(data-count)] sm:max-lg:hidden" />
        </span>
      )}
    </Link>
  )
}

function BarMenu({ path, open }: { path: string; open: number }) {
  const navigate = useNavigate()
  const isCurrent = path === '/admin' || path.startsWith('/admin/')
  return (
    <Menu
      label={m.common_administration()}
      side="top"
      trigger={
        <button
          type="button"

          aria-label={open > 0 ? m.nav_admin_open({ count: open, shown: cappedCount(open) }) : m.nav_admin()}
          className={cx(NAV_ITEM, 'relative sm:hidden', isCurrent && NAV_ACTIVE)}
        >
          <Shield size={17} className="shrink-0" aria-hidden="true" />
          <span aria-hidden="true" className={NAV_LABEL}>
            {m.nav_admin()}
          </span>
          {open > 0 && <span aria-hidden="true" className="absolute top-1 left-1/2 ml-2 size-2 rounded-full bg-warn" />}
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
