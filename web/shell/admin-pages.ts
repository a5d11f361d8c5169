import { ChartLine, ScrollText, ServerCog, ShieldAlert, Users } from 'lucide-react'
import { m } from '#messages'

export const ISSUES_PAGE = '/admin/protection-issues'

/** `full` says that the page covers all users, where `label` alone is ambiguous. */
export const ADMIN_PAGES = [
  { to: '/admin/servers', label: m.nav_servers(), full: m.nav_all_servers(), icon: ServerCog },
  { to: '/admin/users', label: m.nav_users(), full: m.nav_all_users(), icon: Users },
  { to: ISSUES_PAGE, label: m.nav_protection(), full: m.nav_protection_issues(), icon: ShieldAlert },
  { to: '/admin/audit', label: m.nav_audit(), full: m.nav_audit_log(), icon: ScrollText },
  { to: '/admin/statistics', label: m.nav_statistics(), full: m.nav_statistics_full(), icon: ChartLine },
] as const

export type AdminPage = (typeof ADMIN_PAGES)[number]

export function isWithin(path: string, { to }: AdminPage): boolean {
  return path === to || path.startsWith(`${to}/`)
}
