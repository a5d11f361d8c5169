/** The announce intervals that servers received in their responses. */
import type { NextAnnounce } from './generator.ts'

/** The shortest and the longest interval. */
export function intervalRange(announces: readonly NextAnnounce[]): string {
  const seconds = announces.map((next) => next.seconds).toSorted((a, b) => a - b)
  return `${seconds[0] ?? ''} to ${seconds.at(-1) ?? ''} s`
}

/** How bursty the next announces are: the busiest second over the mean per second. */
export function peakToMean(announces: readonly NextAnnounce[]): number {
  const due = new Map<number, number>()
  for (const { dueSecond } of announces) due.set(dueSecond, (due.get(dueSecond) ?? 0) + 1)
  const seconds = [...due.keys()].toSorted((a, b) => a - b)
  return (Math.max(...due.values()) * ((seconds.at(-1) ?? 0) - (seconds[0] ?? 0) + 1)) / announces.length
}
