/** How far the browser's clock is from the server's, by the `Date` of the newest reply. */

/** `Date` has whole seconds, and a reply takes its time. */
const NEGLIGIBLE_MS = 5000

let offsetMs = 0

/** @param date a reply's `Date` header */
export function updateServerClock(date: string | null): void {
  const difference = Date.parse(date ?? '') - Date.now()
  if (Number.isNaN(difference)) return
  offsetMs = Math.abs(difference) < NEGLIGIBLE_MS ? 0 : difference
}

/** The server's time for a time of the browser, in ms. */
export const serverTime = (browserTime: number) => browserTime + offsetMs
