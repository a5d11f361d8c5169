/** How far the browser's clock is from the server's, by the `Date` of the newest reply. */

/** `Date` has whole seconds, and a reply takes its time: less than this is no difference. */
const NEGLIGIBLE_MS = 5000

let offsetMs = 0

/** @param date the `Date` header of a reply that has just come. */
export function learnServerTime(date: string | null): void {
  const difference = Date.parse(date ?? '') - Date.now()
  if (Number.isNaN(difference)) return
  offsetMs = Math.abs(difference) < NEGLIGIBLE_MS ? 0 : difference
}

/** What the server's clock says where the browser's says this. Wall milliseconds. */
export const serverTime = (browserTime: number) => browserTime + offsetMs
