/** Axis ticks and time texts of charts. */
import { formatNumber } from '#web/lib/format.ts'
import { formatTime, formatTimeRange, localMinute, timeZone } from '#web/lib/time.ts'

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

/** Steps start at multiples of their length in UTC, so days are shown in UTC. */
export const isInDays = (stepSeconds: number) => stepSeconds >= DAY_S

export function stepTime(at: number, stepSeconds: number): string {
  return isInDays(stepSeconds) ? formatTime(at, 'date', 'UTC') : formatTime(at, 'minute')
}

export function periodText(at: number, stepSeconds: number): string {
  if (stepSeconds <= 60 || isInDays(stepSeconds)) return stepTime(at, stepSeconds)
  return formatTimeRange(at, at + stepSeconds * 1000, 'minute')
}

const zoneOf = (stepSeconds: number) => (isInDays(stepSeconds) ? 'UTC' : timeZone())

/** Distances between ticks, in hours. Beyond them, ticks are at months. */
const DISTANCES = [2, 6, 24, 5 * 24, 14 * 24]
const MAX_TICKS = 13
/** The offsets of time zones are multiples of it. */
const QUARTER_HOUR_S = 900

interface TimeTick {
  readonly at: number
  readonly text: string
  readonly isDate: boolean
}

/** At whole hours, days or months of the time zone: by default the user's, or UTC for days. */
export function timeTicks(first: number, last: number, stepSeconds: number, zone = zoneOf(stepSeconds)): TimeTick[] {
  const hours = DISTANCES.find((each) => (last - first) / (each * 3_600_000) <= MAX_TICKS)
  const seconds = isInDays(stepSeconds) ? DAY_S : QUARTER_HOUR_S
  const isTick = (minute: string) => {
    if (hours === undefined) return minute.endsWith('-01T00:00')
    return minute.endsWith(':00') && Number(minute.slice(11, 13)) % hours === 0
  }
  const ticks: TimeTick[] = []
  for (let at = Math.ceil(first / seconds / 1000) * seconds * 1000; at <= last; at += seconds * 1000) {
    const minute = localMinute(at, zone)
    const style = tickStyle(minute, hours)
    if (isTick(minute)) ticks.push({ at, text: formatTime(at, style, zone), isDate: style !== 'time' })
  }
  const days = Math.max(1, (hours ?? 24) / 24)
  return ticks.filter((_, index) => index % days === 0)
}

/** A tick at midnight names its day, and one in January its year. */
function tickStyle(minute: string, hours: number | undefined) {
  if (hours === undefined) return minute.slice(5, 7) === '01' ? 'year' : 'month'
  return minute.endsWith('T00:00') ? 'day' : 'time'
}

export const percent = (share: number) => `${Math.round(share * 10_000) / 100}%`
