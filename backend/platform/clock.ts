/** The only reader of the time, so that tests can control it. */
export interface Clock {
  /** Wall time in milliseconds since 1970, for people and the database. */
  now(): number
  /** Milliseconds since the start, which never jump, for expiries and rate limits. Whole numbers: the engine keeps fractions as objects. */
  uptime(): number
}

export const systemClock: Clock = {
  now: () => Date.now(),
  uptime: () => Math.floor(performance.now()),
}
