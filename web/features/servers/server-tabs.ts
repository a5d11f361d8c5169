/** The tabs of a server's page, as in its URL. Their labels are in `server-frame.tsx`. */
const SHARED_TABS = ['overview', 'listing', 'announces'] as const

export const MANAGED_TABS = [...SHARED_TABS, 'connect'] as const
export const SERVER_TABS = [...MANAGED_TABS, 'activity', 'danger'] as const
export const ADMIN_SERVER_TABS = [...SHARED_TABS, 'activity', 'protection', 'danger'] as const

export type ServerTab = (typeof SERVER_TABS | typeof ADMIN_SERVER_TABS)[number]

/** Undefined for the first tab, which the URL omits, and for an unknown tab. */
function findTab<T extends string>(tabs: readonly T[], value: unknown): T | undefined {
  const tab = tabs.find((key) => key === value)
  return tab === 'overview' ? undefined : tab
}

export const tabOf = (value: unknown) => findTab(SERVER_TABS, value)
export const managedTabOf = (value: unknown) => findTab(MANAGED_TABS, value)
export const adminServerTabOf = (value: unknown) => findTab(ADMIN_SERVER_TABS, value)
