/** What a manager sees of somebody else's server. */
export const MANAGED_TABS = [
  { key: 'overview', label: 'Overview' },
  { key: 'listing', label: 'Listing' },
  { key: 'announces', label: 'Announces' },
] as const

/** The parts of a server's page, as they stand in its address. */
export const SERVER_TABS = [...MANAGED_TABS, { key: 'activity', label: 'Activity' }, { key: 'danger', label: 'Danger' }] as const

export type ManagedTab = (typeof MANAGED_TABS)[number]['key']

/** The tab named in the address; one that does not exist is the first, which the address does not name. */
function tabAmong<T extends string>(tabs: readonly { readonly key: T }[], value: unknown): T | undefined {
  const tab = tabs.find(({ key }) => key === value)?.key
  return tab === 'overview' ? undefined : tab
}

export const tabOf = (value: unknown) => tabAmong(SERVER_TABS, value)
export const managedTabOf = (value: unknown) => tabAmong(MANAGED_TABS, value)
