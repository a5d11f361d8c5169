/** When a failed delivery is tried again. */

/** Seconds between attempts: 5 s, 30 s, 5 min, 30 min, 2 h, 8 h, 24 h. */
export const RETRY_SECONDS = [5, 30, 300, 1800, 7200, 28_800, 86_400] as const
/** A webhook without a success for this long is disabled. */
export const DISABLE_AFTER_DAYS = 5
/** Each pause is up to this share longer, so that a receiver that was down is not met by everything at once. */
const JITTER = 0.1

/** @param attempts how many have failed. Undefined if there is no further attempt. */
export function nextAttemptAfter(attempts: number, lastAt: Date, random = Math.random()): Date | undefined {
  const seconds = RETRY_SECONDS[attempts - 1]
  return seconds === undefined ? undefined : new Date(lastAt.getTime() + seconds * 1000 * (1 + JITTER * random))
}
