/** Times and durations as text. Nothing else in the panel formats a date or a time, so all follow the user's time zone and one clock style. */
import { useEffect } from 'react'
import { m } from '#messages'
import { formatNumber } from './format.ts'
import { LOCALE, pageLanguage } from './language.ts'
import { serverTime } from './server-clock.ts'
import { browserStorage } from './storage.ts'
import { createStore } from './store.ts'

const relativeFormat = new Intl.RelativeTimeFormat(LOCALE, { style: 'short' })

export const DAY_MS = 86_400_000

const ZONE_KEY = 'muster.time-zone'

/** As in `timeStyle`: `6:00` in Spanish, but `06:00` in the others. */
const hour = pageLanguage === 'es' ? 'numeric' : '2-digit'

/** Every style of a date or time in the panel. */
const STYLES = {
  /** `21 Nov 2026, 20:01:30` */
  exact: { dateStyle: 'medium', timeStyle: 'medium' },
  /** `21 Nov 2026, 20:01` */
  minute: { dateStyle: 'medium', timeStyle: 'short' },
  /** `21 Nov 2026` */
  date: { dateStyle: 'medium' },
  /** `21 November 2026` */
  longDate: { day: 'numeric', month: 'long', year: 'numeric' },
  /** `Saturday 21 November` */
  weekday: { weekday: 'long', day: 'numeric', month: 'long' },
  /** `21 Nov` */
  day: { day: 'numeric', month: 'short' },
  month: { month: 'short' },
  year: { year: 'numeric' },
  /** `20:01` */
  time: { hour, minute: '2-digit' },
  /** `21 Nov, 20:01` */
  dayAndTime: { day: 'numeric', month: 'short', hour, minute: '2-digit' },
} as const satisfies Readonly<Record<string, Intl.DateTimeFormatOptions>>

type TimeStyle = keyof typeof STYLES

export const browserTimeZone = new Intl.DateTimeFormat().resolvedOptions().timeZone
/** The chosen time zone, or undefined for the browser's. Stored for the first paint of the next page. */
const chosenZone = createStore(knownZone(browserStorage.read(ZONE_KEY)))
const formats = new Map<string, Intl.DateTimeFormat>()

/** Undefined for a zone that this browser does not know. */
function knownZone(name: string | null): string | undefined {
  if (name === null) return undefined
  try {
    // Throws for an unknown zone.
    new Intl.DateTimeFormat('en', { timeZone: name })
    return name
  } catch {
    return undefined
  }
}

export const timeZone = (): string => chosenZone.get() ?? browserTimeZone

/** All times on the page change to this time zone; null is the browser's. */
export function setTimeZone(name: string | null): void {
  const zone = knownZone(name)
  browserStorage.write(ZONE_KEY, zone ?? null)
  chosenZone.set(zone)
}

/** Renders the component again when the user chooses another time zone. For components that show a time without `useNow`. */
export function useTimeZone(): string {
  return chosenZone.use() ?? browserTimeZone
}

function formatOf(style: TimeStyle, zone: string): Intl.DateTimeFormat {
  const key = `${LOCALE} ${style} ${zone}`
  const known = formats.get(key)
  if (known) return known
  const format = new Intl.DateTimeFormat(LOCALE, { ...STYLES[style], timeZone: zone })
  formats.set(key, format)
  return format
}

/** @param zone instead of the user's, such as UTC for whole days. */
export function formatTime(time: string | number, style: TimeStyle, zone = timeZone()): string {
  return formatOf(style, zone).format(new Date(time))
}

/** Both ends, without what they share: `21 Nov 2026, 20:00 – 21:00`. */
export function formatTimeRange(from: number, to: number, style: TimeStyle): string {
  return formatOf(style, timeZone()).formatRange(from, to)
}

export const exactTime = (time: string | number) => formatTime(time, 'exact')
export const timeOfDay = (time: string | number) => formatTime(time, 'time')
export const dayAndTime = (time: string | number) => formatTime(time, 'dayAndTime')

/** Units with their length in seconds. */
const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

/** `2 min ago`, `in 3 hr`, `just now`. */
export function relativeTime(iso: string, now: number): string {
  const seconds = Math.round((Date.parse(iso) - now) / 1000)
  if (Math.abs(seconds) < 5) return m.lib_just_now()
  for (const [unit, size] of UNITS) {
    if (Math.abs(seconds) >= size) return relativeFormat.format(Math.trunc(seconds / size), unit)
  }
  return relativeFormat.format(seconds, 'second')
}

/** `4 min`, `2 h`, `3 d`: the time since `iso`. */
export function durationText(iso: string, now: number): string {
  const seconds = Math.max(0, Math.floor((now - Date.parse(iso)) / 1000))
  if (seconds < 60) return m.lib_duration_seconds({ count: seconds })
  if (seconds < 3600) return m.lib_duration_minutes({ count: Math.floor(seconds / 60) })
  if (seconds < 86_400) return m.lib_duration_hours({ count: Math.floor(seconds / 3600) })
  return m.lib_duration_days({ count: Math.floor(seconds / 86_400) })
}

const inUnit = (count: number, unit: 'hour' | 'minute' | 'second', digits = 0) =>
  formatNumber(count, { style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits: digits })

/** `24 hours`, `1.5 hours`, `30 minutes`, in the largest unit that fits. */
export function hoursText(hours: number): string {
  if (hours >= 1) return inUnit(hours, 'hour', 1)
  const seconds = Math.round(hours * 3600)
  return seconds >= 60 ? inUnit(seconds / 60, 'minute') : inUnit(seconds, 'second')
}

export function timeLeft(iso: string, now: number): { hours: number; minutes: number; seconds: number } {
  const left = Math.max(0, Math.ceil((Date.parse(iso) - now) / 1000))
  return { hours: Math.floor(left / 3600), minutes: Math.floor((left % 3600) / 60), seconds: left % 60 }
}

const clock = createStore(Date.now())
let timer: ReturnType<typeof setInterval> | undefined

/** The current time of the server's clock, updated each second by one timer for the whole page. */
export function useNow(): number {
  useTimeZone()
  useEffect(() => {
    if (timer !== undefined) return
    const tick = () => clock.set(Date.now())
    tick()
    timer = setInterval(tick, 1000)
  }, [])
  return serverTime(clock.use())
}

/** Minutes and days of a time zone, for calendars and date fields. */

const MINUTE_MS = 60_000
const PARTS = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
const minuteFormats = new Map<string, Intl.DateTimeFormat>()

/** `2026-11-21T20:01`, as a datetime-local field has it. */
export function localMinute(time: string | number, zone = timeZone()): string {
  // Swedish dates are ISO 8601.
  const format = minuteFormats.get(zone) ?? new Intl.DateTimeFormat('sv', { ...PARTS, timeZone: zone })
  minuteFormats.set(zone, format)
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
  const candidates = [asUtc - offsetAt(asUtc - DAY_MS), asUtc - offsetAt(asUtc)]
  return candidates.find((time) => time + offsetAt(time) === asUtc) ?? candidates[0] ?? Number.NaN
}
