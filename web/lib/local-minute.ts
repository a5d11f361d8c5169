/** Minutes and days of a time zone, for calendars and date fields. */
import { timeZone } from './time.ts'

const MINUTE_MS = 60_000
const PARTS = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
const formats = new Map<string, Intl.DateTimeFormat>()

/** `2026-11-21T20:01`, as a datetime-local field has it. */
export function localMinute(time: string | number, zone = timeZone()): string {
  // Swedish dates are ISO 8601.
  const format = formats.get(zone) ?? new Intl.DateTimeFormat('sv', { ...PARTS, timeZone: zone })
  formats.set(zone, format)
  return format.format(new Date(time)).replace(' ', 'T')
}

/** `2026-11-21` in the user's time zone. */
export const localDay = (time: string | number): string => localMinute(time).slice(0, 10)

/** The inverse of `localMinute`, in ms. NaN for other texts. Of an hour that a clock change repeats, the first. */
export function timeOfLocalMinute(text: string, zone = timeZone()): number {
  const asUtc = Date.parse(`${text}Z`)
  if (Number.isNaN(asUtc)) return Number.NaN
  const offsetAt = (time: number) => Date.parse(`${localMinute(time, zone)}Z`) - Math.floor(time / MINUTE_MS) * MINUTE_MS
  // The offset a day earlier is the one before a clock change.
  const candidates = [asUtc - offsetAt(asUtc - 86_400_000), asUtc - offsetAt(asUtc)]
  return candidates.find((time) => time + offsetAt(time) === asUtc) ?? candidates[0] ?? Number.NaN
}
