/** How the history of players is cut: minutes in hours, steps in days and weeks, all in UTC, so that no day has 23 or 25 hours. */

export const MINUTE_MS = 60_000
export const HOUR_MS = 3_600_000
export const DAY_MS = 86_400_000
export const WEEK_MS = 7 * DAY_MS
export const MINUTES_OF_HOUR = 60

/** 1970 began on a Thursday; weeks begin on Mondays. */
const FIRST_MONDAY_MS = 4 * DAY_MS

export function startOf(at: number, unit: number): number {
  const offset = unit === WEEK_MS ? FIRST_MONDAY_MS : 0
  return Math.floor((at - offset) / unit) * unit + offset
}

/** What is kept when the minutes are over: for the whole days steps of 10 minutes, for the whole weeks steps of an hour. */
export const LEVELS = {
  day: { stepMinutes: 10, steps: 144, spanMs: DAY_MS },
  week: { stepMinutes: 60, steps: 168, spanMs: WEEK_MS },
} as const
export type Level = (typeof LEVELS)[keyof typeof LEVELS]
