import { ChartLine, ScrollText, ServerCog, ShieldAlert, Users } from 'lucide-react'

/** `full` is the name where `label` could be one's own. */
export const ADMIN_PAGES = [
  { to: '/admin/servers', label: 'Servers', full: 'All servers', icon: ServerCog },
  { to: '/admin/users', label: 'Users', full: 'All users', icon: Users },
  { to: '/admin/protection-issues', label: 'Protection', full: 'Protection issues', icon: ShieldAlert },
  { to: '/admin/audit', label: 'Audit', full: 'Audit log', icon: ScrollText },
  { to: '/admin/statistics', label: 'Statistics', full: 'Statistics of the list', icon: ChartLine },
] as const

export type AdminPage = (typeof ADMIN_PAGES)[number]

export function isWithin(path: string, { to }: AdminPage): boolean {
  return path === to || path.startsWith(`${to}/`)
}
