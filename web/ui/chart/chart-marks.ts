/** Marks of moments at the top of the plot. */
import type uPlot from 'uplot'
import type { ChartData, ChartMark, MarkKind } from './chart-data.ts'

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

/** @param to the start of the last step: marks within that step are at the right edge. @param stepMs length of that step. */
export function groupMarks(marks: readonly ChartMark[], from: number, to: number, stepMs: number): MarkGroup[] {
  const inRange = marks.flatMap((mark) => (mark.at < from || mark.at > to + stepMs ? [] : [{ ...mark, at: Math.min(to, mark.at) }]))
  const slots = Map.groupBy(inRange, ({ at }) => Math.floor(((at - from) / (to - from)) * SLOTS))
  return Array.from(slots.values(), (group) => ({
    position: ((group[0]?.at ?? from) - from) / (to - from),
    kind: KINDS.find((kind) => group.some((mark) => mark.kind === kind)) ?? 'restart',
    texts: group.map(({ text }) => text),
  }))
}

/** Adds elements that show their tooltip on hover. Positions are in percent, so they follow the width. */
export function addMarks({ over }: uPlot, { times, stepSeconds, marks = [] }: ChartData): void {
  const from = times[0] ?? 0
  const to = Math.max(times.at(-1) ?? from, from + stepSeconds * 1000)
  for (const { position, kind, texts } of groupMarks(marks, from, to, stepSeconds * 1000)) {
    const element = document.createElement('span')
    element.className = 'chart-mark'
    element.dataset['kind'] = kind
    element.dataset['tip'] = texts.join(' · ')
    element.style.left = `${position * 100}%`
    over.append(element)
  }
}
