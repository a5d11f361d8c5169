/** The only code that reads the time, so that tests can control it. */
export interface Clock {
  /** Wall time in milliseconds since 1970, for people and the database. */
  now(): number
  /** Monotonic milliseconds since the start, for expiries and rate limits. Whole numbers: the engine stores fractions as objects. */
  uptime(): number
}

/** The current moment on both clocks. */
export const readClocks = (clock: Clock) => ({ uptime: clock.uptime(), now: clock.now() })

/** Makes an LRU cache measure the age of its entries by this clock. */
export const cacheTime = (clock: Pick<Clock, 'uptime'>) => ({ ttlResolution: 0, perf: { now: () => clock.uptime() } })

/** A clock with the database's wall time, which all nodes share. A single node keeps its own. */
export function databaseClock(clock: Clock, bus: { readonly isSingleNode: boolean; readonly clockOffsetMs: number }): Clock {
  if (bus.isSingleNode) return clock
  return { now: () => clock.now() + bus.clockOffsetMs, uptime: () => clock.uptime() }
}

export const systemClock: Clock = {
  now: () => Date.now(),
  uptime: () => Math.floor(performance.now()),
}
