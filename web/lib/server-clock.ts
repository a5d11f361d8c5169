/** The offset of the browser's clock from the server's, from the `Date` header of the last reply. */

/** `Date` has a resolution of one second, and replies have latency. */
const NEGLIGIBLE_MS = 5000

let offsetMs = 0

/** @param date a reply's `Date` header */
export function updateServerClock(date: string | null): void {
  const difference = Date.parse(date ?? '') - Date.now()
  if (Number.isNaN(difference)) return
  offsetMs = Math.abs(difference) < NEGLIGIBLE_MS ? 0 : difference
}

/** Converts a time of the browser to the server's clock, in ms. */
export const serverTime = (browserTime: number) => browserTime + offsetMs
