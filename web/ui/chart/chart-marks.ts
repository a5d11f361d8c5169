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

/** A line that hangs from a symbol, whose shape and colour name the kind. */
const MARK =
  'chart-mark absolute inset-y-0 -ml-[7.5px] w-[15px] before:absolute before:top-1.5 before:bottom-0 before:left-[7px] before:w-px before:bg-current/45 after:absolute after:top-px after:left-[3px] after:size-[9px] after:border-2 after:border-current after:bg-surface-1'
const SYMBOLS: Readonly<Record<MarkKind, string>> = {
  restart: 'text-ink-2 after:rounded-full',
  update: 'text-info after:rotate-45 after:scale-90',
  ban: 'text-danger after:bg-current!',
}

/** Adds elements that show their tooltip on hover. Positions are in percent, so they follow the width. */
export function addMarks({ over }: uPlot, { times, stepSeconds, marks = [] }: ChartData): void {
  const from = times[0] ?? 0
  const to = Math.max(times.at(-1) ?? from, from + stepSeconds * 1000)
  for (const { position, kind, texts } of groupMarks(marks, from, to, stepSeconds * 1000)) {
    const element = document.createElement('span')
    element.className = `${MARK} ${SYMBOLS[kind]}`
    element.dataset['tip'] = texts.join(' · ')
    element.style.left = `${position * 100}%`
    over.append(element)
  }
}
