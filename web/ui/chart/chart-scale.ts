/** Axis ticks and time texts of charts. */
import { formatNumber } from '#web/lib/format.ts'
import { localMinute } from '#web/lib/local-minute.ts'
import { formatTime, formatTimeRange, timeZone } from '#web/lib/time.ts'

const MAX_STEPS = 4
/** The top tick is at least 4 % above the maximum. */
const HEADROOM = 1.04

/** The smallest round step (1, 2, 5, 10 …) that divides the axis into at most `MAX_STEPS`. */
function stepFor(max: number): number {
  const minStep = Math.max(1, max / MAX_STEPS)
  const power = 10 ** Math.floor(Math.log10(minStep))
  return Math.ceil([1, 2, 5, 10].map((each) => each * power).find((each) => each >= minStep) ?? power)
}

export function valueTicks(max: number): number[] {
  const step = stepFor(max * HEADROOM)
  const count = Math.max(2, Math.ceil((max * HEADROOM) / step))
  return Array.from({ length: count + 1 }, (_, index) => index * step)
}

/** `980`, `1,200`, `12K`. */
export function valueText(value: number): string {
  return value < 10_000 ? formatNumber(value) : formatNumber(value, { notation: 'compact' })
}

const DAY_S = 86_400
const MONTH_S = 30.4 * DAY_S

/** Steps start at multiples of their length in UTC, so days are shown in UTC. */
export const isInDays = (stepSeconds: number) => stepSeconds >= DAY_S

/** Ticks at UTC days or at starts of months, about `tickSeconds` apart. */
export function dayTicks(first: number, last: number, tickSeconds: number): number[] {
  const ticks: number[] = []
  const start = new Date(first)
  const [year, month] = [start.getUTCFullYear(), start.getUTCMonth()]
  const months = Math.round(tickSeconds / MONTH_S)
  const stepMs = Math.max(1, Math.round(tickSeconds / DAY_S)) * DAY_S * 1000
  const tickAt = (index: number) =>
    months > 0 ? Date.UTC(year, month - (month % months) + index * months) : Date.UTC(year, month, start.getUTCDate()) + index * stepMs
  for (let index = 0; tickAt(index) <= last; index += 1) if (tickAt(index) >= first) ticks.push(tickAt(index))
  return ticks
}

/** In the user's time zone, or in UTC for days. */
export function timeText(at: number, tickSeconds: number, inDays = false): string {
  const zone = inDays ? 'UTC' : timeZone()
  const minute = localMinute(at, zone)
  if (tickSeconds < DAY_S && !inDays) return formatTime(at, minute.endsWith('T00:00') ? 'day' : 'time', zone)
  if (tickSeconds < 28 * DAY_S) return formatTime(at, 'day', zone)
  return formatTime(at, minute.slice(5, 7) === '01' ? 'year' : 'month', zone)
}

export function stepTime(at: number, stepSeconds: number): string {
  return isInDays(stepSeconds) ? formatTime(at, 'date', 'UTC') : formatTime(at, 'minute')
}

export function periodText(at: number, stepSeconds: number): string {
  if (stepSeconds <= 60 || isInDays(stepSeconds)) return stepTime(at, stepSeconds)
  return formatTimeRange(at, at + stepSeconds * 1000, 'minute')
}

/** Distances between ticks. */
const DISTANCES = [2 * 3600, DAY_S, 5 * DAY_S, 14 * DAY_S, MONTH_S]
const MAX_TICKS = 13

/** At whole hours and days of the user's time zone, or of UTC for days. */
export function timeTicks(first: number, last: number, stepSeconds: number): { at: number; text: string }[] {
  const distance = DISTANCES.find((each) => (last - first) / (each * 1000) <= MAX_TICKS) ?? MONTH_S
  const inDays = isInDays(stepSeconds)
  const ticks = inDays ? dayTicks(first, last, distance) : localTicks(first, last, distance)
  return ticks.map((at) => ({ at, text: timeText(at, distance, inDays) }))
}

const QUARTER_HOUR_MS = 900_000

/** The offsets of time zones are quarters of an hour. */
function localTicks(first: number, last: number, tickSeconds: number): number[] {
  const hours = Math.min(24, tickSeconds / 3600)
  const ticks: number[] = []
  for (let at = Math.ceil(first / QUARTER_HOUR_MS) * QUARTER_HOUR_MS; at <= last; at += QUARTER_HOUR_MS) {
    const minute = localMinute(at)
    if (minute.endsWith(':00') && Number(minute.slice(11, 13)) % hours === 0) ticks.push(at)
  }
  return ticks.filter((_, index) => index % Math.max(1, tickSeconds / DAY_S) === 0)
}

export const percent = (share: number) => `${Math.round(share * 10_000) / 100}%`
