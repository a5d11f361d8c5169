import { m } from '#messages'

/** The keys that open a page. */
export const PAGE_KEYS = [
  { keys: 'n', to: '/servers/new', text: m.nav_new_server },
  { keys: 'g s', to: '/servers', text: m.shell_shortcuts_servers },
  { keys: 'g i', to: '/inbox', text: m.shell_shortcuts_inbox },
  { keys: 'g b', to: '/benefits', text: m.shell_shortcuts_benefits },
  { keys: 'g d', to: '/downloads', text: m.shell_shortcuts_downloads },
  { keys: 'g t', to: '/settings', text: m.shell_shortcuts_settings },
] as const

/** Those for administrators. */
export const ADMIN_PAGE_KEYS = [
  { keys: 'g l', to: '/admin/servers', text: m.shell_shortcuts_servers_all },
  { keys: 'g u', to: '/admin/users', text: m.shell_shortcuts_users },
  { keys: 'g p', to: '/admin/protection-issues', text: m.shell_shortcuts_issues },
  { keys: 'g a', to: '/admin/audit', text: m.shell_shortcuts_audit },
] as const
