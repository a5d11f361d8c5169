/** The tabs of a server's page, with their keys in the URL. */
import { m } from '#messages'

const SHARED_TABS = [
  { key: 'overview', label: m.servers_tab_overview() },
  { key: 'listing', label: m.servers_tab_listing() },
  { key: 'announces', label: m.servers_tab_announces() },
] as const

export const MANAGED_TABS = [...SHARED_TABS, { key: 'connect', label: m.servers_tab_connect() }] as const

const ACTIVITY = { key: 'activity', label: m.nav_activity() } as const
const DANGER = { key: 'danger', label: m.servers_tab_danger() } as const

export const SERVER_TABS = [...MANAGED_TABS, ACTIVITY, DANGER] as const
export const ADMIN_SERVER_TABS = [...SHARED_TABS, ACTIVITY, { key: 'protection', label: m.nav_protection() }, DANGER] as const

export type ManagedTab = (typeof MANAGED_TABS)[number]['key']

/** Undefined for the first tab, which the URL omits, and for an unknown tab. */
function findTab<T extends string>(tabs: readonly { readonly key: T }[], value: unknown): T | undefined {
  const tab = tabs.find(({ key }) => key === value)?.key
  return tab === 'overview' ? undefined : tab
}

export const tabOf = (value: unknown) => findTab(SERVER_TABS, value)
export const managedTabOf = (value: unknown) => findTab(MANAGED_TABS, value)
export const adminServerTabOf = (value: unknown) => findTab(ADMIN_SERVER_TABS, value)
