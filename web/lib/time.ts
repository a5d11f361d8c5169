/** Times and durations as text. */
import { useSyncExternalStore } from 'react'
import { m } from '#messages'
import { serverTime } from './server-clock.ts'

const relativeFormat = new Intl.RelativeTimeFormat('en', { style: 'short' })
const exactFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })

const timeFormat = new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit' })
const dayAndTimeFormat = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' })

export const timeOfDay = (time: string | number) => timeFormat.format(new Date(time))

export const dayAndTime = (time: string | number) => dayAndTimeFormat.format(new Date(time))

/** Units with their length in seconds. */
const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

/** `2 min. ago`, `in 3 hr.`, `just now`. */
export function relativeTime(iso: string, now: number): string {
  const seconds = Math.round((Date.parse(iso) - now) / 1000)
  if (Math.abs(seconds) < 5) return 'just now'
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
  new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits: digits }).format(count)

/** `24 hours`, `1.5 hours`, `30 minutes`, in the largest unit that fits. */
export function hoursText(hours: number): string {
  if (hours >= 1) return inUnit(hours, 'hour', 1)
  const seconds = Math.round(hours * 3600)
  return seconds >= 60 ? inUnit(seconds / 60, 'minute') : inUnit(seconds, 'second')
}

export function exactTime(iso: string): string {
  return exactFormat.format(new Date(iso))
}

export function timeLeft(iso: string, now: number): { hours: number; minutes: number; seconds: number } {
  const left = Math.max(0, Math.ceil((Date.parse(iso) - now) / 1000))
  return { hours: Math.floor(left / 3600), minutes: Math.floor((left % 3600) / 60), seconds: left % 60 }
}

const listeners = new Set<() => void>()
let now = Date.now()
let timer: ReturnType<typeof setInterval> | undefined

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  if (timer === undefined) now = Date.now()
  timer ??= setInterval(() => {
    now = Date.now()
    for (const notify of listeners) notify()
  }, 1000)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) {
      clearInterval(timer)
      timer = undefined
    }
  }
}

/** The current time of the server's clock, updated each second by one timer for the whole page. */
export function useNow(): number {
  return serverTime(useSyncExternalStore(subscribe, () => now))
}
