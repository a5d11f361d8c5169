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

/** Indices of values without neighbours, which no line connects. */
export function isolatedPoints(values: readonly (number | null)[]): number[] {
  const hasValue = (index: number) => values[index] !== null && values[index] !== undefined
  return [...values.keys()].filter((index) => hasValue(index) && !hasValue(index - 1) && !hasValue(index + 1))
}
