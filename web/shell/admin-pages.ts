import { ChartLine, ScrollText, ServerCog, ShieldAlert, Users } from 'lucide-react'
import { m } from '#messages'

export const ISSUES_PAGE = '/admin/protection-issues'

/** `fullLabel` is for places where `label` could also mean the user's own page. */
export const ADMIN_PAGES = [
  { to: '/admin/servers', label: m.nav_servers(), fullLabel: m.nav_all_servers(), icon: ServerCog },
  { to: '/admin/users', label: m.nav_users(), fullLabel: m.nav_all_users(), icon: Users },
  { to: ISSUES_PAGE, label: m.nav_protection(), fullLabel: m.nav_protection_issues(), icon: ShieldAlert },
  { to: '/admin/audit', label: m.nav_audit(), fullLabel: m.nav_audit_log(), icon: ScrollText },
  { to: '/admin/statistics', label: m.nav_statistics(), fullLabel: m.nav_statistics_full(), icon: ChartLine },
] as const

export type AdminPage = (typeof ADMIN_PAGES)[number]

export function isOnPage(path: string, { to }: AdminPage): boolean {
  return path === to || path.startsWith(`${to}/`)
}
