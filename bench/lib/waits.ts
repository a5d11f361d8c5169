/** The waits that announces received. */
import type { Wait } from './generator.ts'

/** The shortest and the longest. */
export function waitsOf(waits: readonly Wait[]): string {
  const seconds = waits.map((wait) => wait.seconds).toSorted((a, b) => a - b)
  return `${seconds[0] ?? ''} to ${seconds.at(-1) ?? ''} s`
}

/** How evenly the next announces come: most that are due in one second, over the mean of the seconds from the first to the last. */
export function unevenness(waits: readonly Wait[]): number {
  const due = new Map<number, number>()
  for (const { dueSecond } of waits) due.set(dueSecond, (due.get(dueSecond) ?? 0) + 1)
  const seconds = [...due.keys()].toSorted((a, b) => a - b)
  return (Math.max(...due.values()) * ((seconds.at(-1) ?? 0) - (seconds[0] ?? 0) + 1)) / waits.length
}
