import { SERVER_TABS } from '#web/features/servers/server-tabs.ts'

const [OVERVIEW, LISTING, ANNOUNCES, ACTIVITY, DANGER] = SERVER_TABS

/** The parts of a server's page in the admin area, as they stand in its address. */
export const ADMIN_SERVER_TABS = [OVERVIEW, LISTING, ANNOUNCES, ACTIVITY, { key: 'protection', label: 'Protection' }, DANGER] as const

export type AdminServerTab = (typeof ADMIN_SERVER_TABS)[number]['key']

/** The tab named in the address; one that does not exist is the first, which the address does not name. */
export function adminServerTabOf(value: unknown): AdminServerTab | undefined {
  const tab = ADMIN_SERVER_TABS.find(({ key }) => key === value)?.key
  return tab === 'overview' ? undefined : tab
}
