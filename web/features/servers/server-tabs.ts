/** The parts of a server's page, as its address names them. */

export const MANAGED_TABS = [
  { key: 'overview', label: 'Overview' },
  { key: 'listing', label: 'Listing' },
  { key: 'announces', label: 'Announces' },
] as const

const ACTIVITY = { key: 'activity', label: 'Activity' } as const
const DANGER = { key: 'danger', label: 'Danger' } as const

export const SERVER_TABS = [...MANAGED_TABS, ACTIVITY, DANGER] as const
export const ADMIN_SERVER_TABS = [...MANAGED_TABS, ACTIVITY, { key: 'protection', label: 'Protection' }, DANGER] as const

export type ManagedTab = (typeof MANAGED_TABS)[number]['key']

/** The address does not name the first tab, and an unknown one is the first. */
function tabAmong<T extends string>(tabs: readonly { readonly key: T }[], value: unknown): T | undefined {
  const tab = tabs.find(({ key }) => key === value)?.key
  return tab === 'overview' ? undefined : tab
}

export const tabOf = (value: unknown) => tabAmong(SERVER_TABS, value)
export const managedTabOf = (value: unknown) => tabAmong(MANAGED_TABS, value)
export const adminServerTabOf = (value: unknown) => tabAmong(ADMIN_SERVER_TABS, value)
