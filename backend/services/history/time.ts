/** Time units of the player history, all in UTC, so that every day has 24 hours. */

export const MINUTE_MS = 60_000
export const HOUR_MS = 3_600_000
export const DAY_MS = 86_400_000
export const WEEK_MS = 7 * DAY_MS

/** 1970 started on a Thursday; weeks start on Mondays. */
const FIRST_MONDAY_MS = 4 * DAY_MS

export function startOf(at: number, unit: number): number {
  const offset = unit === WEEK_MS ? FIRST_MONDAY_MS : 0
  return Math.floor((at - offset) / unit) * unit + offset
}
