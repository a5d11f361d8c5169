/** Shares reads of the history between requests, and keeps what was read for outages of the database. */
import { LRUCache } from 'lru-cache'
import type { Clock } from '#backend/platform/clock.ts'
import { failureKind } from '#backend/platform/database/failure.ts'
import { MINUTE_MS } from './time.ts'

/** Values are a minute old at most; older ones are returned if the read fails because of the database. */
export function historyCache<V extends object, C>(
  clock: Pick<Clock, 'uptime'>,
  max: number,
  read: (key: string, context: C) => Promise<V>,
): LRUCache<string, V, C> {
  return new LRUCache<string, V, C>({
    max,
    ttl: MINUTE_MS,
    ttlResolution: 0,
    perf: { now: () => clock.uptime() },
    ignoreFetchAbort: true,
    noDeleteOnFetchRejection: true,
    fetchMethod: async (key, _stale, { context, options }) => {
      try {
        return await read(key, context)
      } catch (error) {
        options.allowStaleOnFetchRejection = failureKind(error) !== undefined
        throw error
      }
    },
  })
}
