/** Marks of moments at the top of the plot. */
import type { ChartMark, MarkKind } from './chart-data.ts'

/** Marks in the same slot share one symbol, so that tooltips stay reachable on a phone. */
const SLOTS = 40

/** The most important kind names the symbol of a slot. */
const KINDS: readonly MarkKind[] = ['ban', 'update', 'restart']

export interface MarkGroup {
  /** From 0 at the left to 1 at the right. */
  readonly position: number
  readonly kind: MarkKind
  readonly texts: readonly string[]
}

/** @param to the end of the last step */
export function groupMarks(marks: readonly ChartMark[], from: number, to: number): MarkGroup[] {
  const inRange = marks.filter(({ at }) => at >= from && at <= to)
  const slots = Map.groupBy(inRange, ({ at }) => Math.floor(((at - from) / (to - from)) * SLOTS))
  return Array.from(slots.values(), (group) => ({
    position: ((group[0]?.at ?? from) - from) / (to - from),
    kind: KINDS.find((kind) => group.some((mark) => mark.kind === kind)) ?? 'restart',
    texts: group.map(({ text }) => text),
  }))
}
