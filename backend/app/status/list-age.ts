/** How old the list may be. */
import type { Deps } from '#backend/platform/deps.ts'

/** For how many seconds the list may miss changes of other nodes; undefined while it is up to date. */
export function listAgeSeconds({ bus, clock, databaseHealth }: Pick<Deps, 'bus' | 'clock' | 'databaseHealth'>): number | undefined {
  if (databaseHealth.isLost) return Math.floor(databaseHealth.lastResponseAgeMs / 1000)
  return bus.disconnectedSince === undefined ? undefined : Math.floor((clock.uptime() - bus.disconnectedSince) / 1000)
}
