/** The numbers of a bucket or a step: a server's players in some minutes. */
import { DAY_MS, MINUTE_MS } from './time.ts'

/** Samples are stored in buckets of five minutes, and these are rolled up into hours and days. Each is kept as long as a range needs it. */
export const BUCKETS = {
  fiveMinutes: { minutes: 5, keptMs: 8 * DAY_MS },
  hour: { minutes: 60, keptMs: 32 * DAY_MS },
  day: { minutes: 1440, keptMs: 367 * DAY_MS },
} as const
export const BUCKET_MS = BUCKETS.fiveMinutes.minutes * MINUTE_MS

export interface Counts {
  /** Sum over the online minutes. */
  players: number
  highest: number
  /** Minutes in which the server was online. */
  online: number
  /** Minutes in which a node took a sample, since the server's registration. */
  sampled: number
}

/** Of the whole list. Sums over the sampled minutes. */
export interface ListCounts {
  sampled: number
  players: number
  servers: number
  players_highest: number
  servers_highest: number
}

export const noCounts = (): Counts => ({ players: 0, highest: 0, online: 0, sampled: 0 })
export const noListCounts = (): ListCounts => ({ sampled: 0, players: 0, servers: 0, players_highest: 0, servers_highest: 0 })

/** Over the minutes online, rounded; null if there are none. */
export const averageOf = ({ players, online }: Pick<Counts, 'players' | 'online'>) => (online === 0 ? null : Math.round(players / online))
export const highestOf = ({ highest, online }: Counts) => (online === 0 ? null : highest)

/** Whole percent; 0 and 100 only if it was offline or online throughout. */
export function percentOnline({ online, sampled }: Counts): number | null {
  if (sampled === 0) return null
  if (online === 0 || online === sampled) return online === 0 ? 0 : 100
  return Math.min(99, Math.max(1, Math.round((100 * online) / sampled)))
}

/** Share of the sampled minutes online, 0 to 1. */
export function uptimeOf(steps: readonly Counts[]): number | undefined {
  const minutesOf = (kind: 'online' | 'sampled') => steps.reduce((sum, step) => sum + step[kind], 0)
  return minutesOf('sampled') === 0 ? undefined : minutesOf('online') / minutesOf('sampled')
}
