import { ChartLine, type LucideIcon, ScrollText, ServerCog, ShieldAlert, Users } from 'lucide-react'

export interface AdminPage {
  readonly to: '/admin/servers' | '/admin/users' | '/admin/protection-issues' | '/admin/audit' | '/admin/statistics'
  readonly label: string
  /** Where the name alone could be one's own. */
  readonly full: string
  readonly icon: LucideIcon
}

export const ADMIN_PAGES: readonly AdminPage[] = [
  { to: '/admin/servers', label: 'Servers', full: 'All servers', icon: ServerCog },
  { to: '/admin/users', label: 'Users', full: 'All users', icon: Users },
  { to: '/admin/protection-issues', label: 'Protection', full: 'Protection issues', icon: ShieldAlert },
  { to: '/admin/audit', label: 'Audit', full: 'Audit log', icon: ScrollText },
  { to: '/admin/statistics', label: 'Statistics', full: 'Statistics of the list', icon: ChartLine },
]

export function isWithin(path: string, { to }: AdminPage): boolean {
  return path === to || path.startsWith(`${to}/`)
}
