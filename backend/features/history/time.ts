/** Time units of the player history, all in UTC, so that every day has 24 hours. */

export const MINUTE_MS = 60_000
export const HOUR_MS = 3_600_000
export const DAY_MS = 86_400_000
export const WEEK_MS = 7 * DAY_MS
export const MINUTES_OF_HOUR = 60

/** 1970 started on a Thursday; weeks start on Mondays. */
const FIRST_MONDAY_MS = 4 * DAY_MS

export function startOf(at: number, unit: number): number {
  const offset = unit === WEEK_MS ? FIRST_MONDAY_MS : 0
  return Math.floor((at - offset) / unit) * unit + offset
}

/** Rollups: a day in steps of 10 minutes, a week in steps of an hour. */
export const LEVELS = {
  day: { stepMinutes: 10, steps: 144, spanMs: DAY_MS },
  week: { stepMinutes: 60, steps: 168, spanMs: WEEK_MS },
} as const
export type Level = (typeof LEVELS)[keyof typeof LEVELS]
