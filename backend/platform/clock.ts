/** The only reader of the time, so that tests can hold it in their hands. */
export interface Clock {
  /** Wall time in milliseconds since 1970, for what people read and what the database keeps. */
  now(): number
  /** Whole milliseconds this process has been up; never jumps. For expiries and rate limits. Fractions would be an object each wherever they are kept. */
  uptime(): number
}

/** This moment on both clocks. */
export const momentOf = (clock: Clock) => ({ uptime: clock.uptime(), now: clock.now() })

/** A clock that shows the database's wall time, which all nodes share. A node that is alone keeps its own. */
export function databaseClock(clock: Clock, bus: { readonly isAlone: boolean; readonly clockAhead: number }): Clock {
  if (bus.isAlone) return clock
  return { now: () => clock.now() + bus.clockAhead, uptime: () => clock.uptime() }
}

export const systemClock: Clock = {
  now: () => Date.now(),
  uptime: () => Math.floor(performance.now()),
}
