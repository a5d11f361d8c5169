/** The parts of a server's page, as they stand in its address. */
export const SERVER_TABS = [
  { key: 'overview', label: 'Overview' },
  { key: 'listing', label: 'Listing' },
  { key: 'announces', label: 'Announces' },
  { key: 'activity', label: 'Activity' },
  { key: 'danger', label: 'Danger' },
] as const

export type ServerTab = (typeof SERVER_TABS)[number]['key']

/** The tab named in the address; one that does not exist is the first. */
export function tabOf(value: unknown): ServerTab | undefined {
  const tab = SERVER_TABS.find(({ key }) => key === value)?.key
  return tab === 'overview' ? undefined : tab
}

/** What a manager sees of somebody else's server. */
export const MANAGED_TABS = [
  { key: 'overview', label: 'Overview' },
  { key: 'listing', label: 'Listing' },
  { key: 'announces', label: 'Announces' },
] as const

export type ManagedTab = (typeof MANAGED_TABS)[number]['key']

/** The same among a manager's tabs. */
export function managedTabOf(value: unknown): ManagedTab | undefined {
  const tab = MANAGED_TABS.find(({ key }) => key === value)?.key
  return tab === 'overview' ? undefined : tab
}
