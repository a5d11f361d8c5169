/** The minutes of a server's stored buckets, as far as these tell: offline ones first, the one with the most players last. */
import type { StoredBucket } from '#backend/services/history/stored-buckets.ts'
import { OFFLINE } from '#backend/services/history/player-sampler.ts'
import { MINUTE_MS } from '#backend/services/history/time.ts'

interface StoredMinute {
  /** Wall milliseconds. */
  readonly at: number
  readonly players: number
}

/** The others are rounded down, so that only equal minutes are equal. */
export function minutesOf({ at, players, highest, online, sampled }: StoredBucket): StoredMinute[] {
  const other = online > 1 ? Math.floor((players - highest) / (online - 1)) : highest
  return Array.from({ length: sampled }, (_, minute) => ({
    at: at + minute * MINUTE_MS,
    players: minute < sampled - online ? OFFLINE : minute === sampled - 1 ? highest : other,
  }))
}
