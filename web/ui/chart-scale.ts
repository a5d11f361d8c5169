/** The marks beside and under a graph, worked out without drawing anything. */

/** Marks beside a graph: so many at most, and at least a part of the top that nothing reaches. */
const STEPS = 4
const AIR = 1.04

/** The smallest even step of whole numbers (1, 2, 5, 10 …) with which few marks reach that high. */
function stepFor(most: number): number {
  const rough = Math.max(1, most / STEPS)
  const power = 10 ** Math.floor(Math.log10(rough))
  return Math.ceil([1, 2, 5, 10].map((each) => each * power).find((each) => each >= rough) ?? power)
}

/** From nothing to somewhat above the highest number, in even steps. */
export function heightsFor(most: number): number[] {
  const step = stepFor(most * AIR)
  const count = Math.max(2, Math.ceil((most * AIR) / step))
  return Array.from({ length: count + 1 }, (_, index) => index * step)
}

const short = new Intl.NumberFormat('en', { notation: 'compact' })

/** `980`, `1,200`, `12K`. */
export function heightText(value: number): string {
  return value < 10_000 ? value.toLocaleString('en') : short.format(value)
}

const DAY_S = 86_400
const hour = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' })
const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' })
const month = new Intl.DateTimeFormat(undefined, { month: 'short' })
const year = new Intl.DateTimeFormat(undefined, { year: 'numeric' })

/** A mark under a graph, in the reader's own zone: the hour, and where the day begins the day; days; months, and where the year begins the year. */
export function timeText(at: number, stepSeconds: number): string {
  const date = new Date(at)
  if (stepSeconds < DAY_S) return (date.getHours() === 0 && date.getMinutes() === 0 ? day : hour).format(date)
  if (stepSeconds < 28 * DAY_S) return day.format(date)
  return (date.getMonth() === 0 ? year : month).format(date)
}

const toMinute = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
/** Steps begin at whole multiples of their length in UTC: a day of another zone would be the wrong one for half of the world. */
const toDay = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' })

/** When a step of that length begins, as exactly as it says anything. */
export function stepTime(at: number, stepSeconds: number): string {
  return (stepSeconds < DAY_S ? toMinute : toDay).format(at)
}

/** Runs of steps for which something holds: the first of each, and the first after it. */
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

/** Numbers with nothing on either side: no line leads through them. */
export function lonelyOf(values: readonly (number | null)[]): number[] {
  const is = (index: number) => values[index] !== null && values[index] !== undefined
  return [...values.keys()].filter((index) => is(index) && !is(index - 1) && !is(index + 1))
}
