/** The marks beside and under a graph. */

/** At most so many marks, and a free part at the top. */
const STEPS = 4
const AIR = 1.04

/** The smallest even step (1, 2, 5, 10 …) with few marks. */
function stepFor(most: number): number {
  const rough = Math.max(1, most / STEPS)
  const power = 10 ** Math.floor(Math.log10(rough))
  return Math.ceil([1, 2, 5, 10].map((each) => each * power).find((each) => each >= rough) ?? power)
}

export function valueTicks(most: number): number[] {
  const step = stepFor(most * AIR)
  const count = Math.max(2, Math.ceil((most * AIR) / step))
  return Array.from({ length: count + 1 }, (_, index) => index * step)
}

const short = new Intl.NumberFormat('en', { notation: 'compact' })

/** `980`, `1,200`, `12K`. */
export function valueText(value: number): string {
  return value < 10_000 ? value.toLocaleString('en') : short.format(value)
}

const DAY_S = 86_400
const MONTH_S = 30.4 * DAY_S

/** Steps begin at multiples of their length in UTC; days are shown in UTC, too. */
export const isInDays = (stepSeconds: number) => stepSeconds >= DAY_S

function formatsIn(zone: Intl.DateTimeFormatOptions) {
  const format = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(undefined, { ...options, ...zone })
  return {
    hour: format({ hour: 'numeric', minute: '2-digit' }),
    day: format({ day: 'numeric', month: 'short' }),
    month: format({ month: 'short' }),
    year: format({ year: 'numeric' }),
  }
}
const own = formatsIn({})
const utc = formatsIn({ timeZone: 'UTC' })

/** Marks of days or beginnings of months in UTC, about that far from each other. */
export function dayTicks(first: number, last: number, markSeconds: number): number[] {
  const marks: number[] = []
  const begin = new Date(first)
  const [year, month] = [begin.getUTCFullYear(), begin.getUTCMonth()]
  const months = Math.round(markSeconds / MONTH_S)
  const stepMs = Math.max(1, Math.round(markSeconds / DAY_S)) * DAY_S * 1000
  const markAt = (index: number) =>
    months > 0 ? Date.UTC(year, month - (month % months) + index * months) : Date.UTC(year, month, begin.getUTCDate()) + index * stepMs
  for (let index = 0; markAt(index) <= last; index += 1) if (markAt(index) >= first) marks.push(markAt(index))
  return marks
}

/** In the reader's zone or, of days, in UTC. */
export function timeText(at: number, markSeconds: number, ofDays = false): string {
  const { hour, day, month, year } = ofDays ? utc : own
  const date = new Date(at)
  if (markSeconds < DAY_S && !ofDays) return (date.getHours() === 0 && date.getMinutes() === 0 ? day : hour).format(date)
  if (markSeconds < 28 * DAY_S) return day.format(date)
  return ((ofDays ? date.getUTCMonth() : date.getMonth()) === 0 ? year : month).format(date)
}

const toMinute = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const toDay = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' })

export function stepTime(at: number, stepSeconds: number): string {
  return (isInDays(stepSeconds) ? toDay : toMinute).format(at)
}

export function periodText(at: number, stepSeconds: number): string {
  if (stepSeconds <= 60 || isInDays(stepSeconds)) return stepTime(at, stepSeconds)
  return toMinute.formatRange(at, at + stepSeconds * 1000)
}

/** Runs of steps for which it holds: the first of each, and the first after it. */
export function runsOf(holds: readonly boolean[]): [number, number][] {
  const runs: [number, number][] = []
  for (const [index, one] of holds.entries()) {
    if (!one) continue
    const last = runs.at(-1)
    if (last?.[1] === index) last[1] = index + 1
    else runs.push([index, index + 1])
  }
  return runs
}

/** Numbers without neighbours: no line leads through them. */
export function isolatedPoints(values: readonly (number | null)[]): number[] {
  const is = (index: number) => values[index] !== null && values[index] !== undefined
  return [...values.keys()].filter((index) => is(index) && !is(index - 1) && !is(index + 1))
}
