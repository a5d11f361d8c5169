/** The only reader of the time, so that tests can hold it in their hands. */
export interface Clock {
  /** Wall time in milliseconds since 1970, for what people read and what the database keeps. */
  now(): number
  /** Milliseconds this process has been up; never jumps. For expiries and rate limits. */
  uptime(): number
}

export const systemClock: Clock = {
  now: () => Date.now(),
  uptime: () => performance.now(),
}
