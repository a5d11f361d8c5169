export interface ChartLine {
  readonly label: string
  /** One per step; null is a gap. */
  readonly values: readonly (number | null)[]
  readonly type: 'area' | 'line' | 'compare'
}

export type MarkKind = 'restart' | 'update' | 'ban'

/** A moment above the lines. The caller lists the same moments for keyboard users. */
export interface ChartMark {
  /** In ms. */
  readonly at: number
  readonly kind: MarkKind
  readonly text: string
}

export interface ChartData {
  /** The start of each step, in ms. */
  readonly times: readonly number[]
  readonly stepSeconds: number
  readonly lines: readonly ChartLine[]
  /** Steps on a faint band. */
  readonly bands?: { readonly label: string; readonly steps: readonly boolean[] }
  readonly marks?: readonly ChartMark[]
  /** One per step. */
  readonly remarks?: readonly string[]
}

/** Marks in the same slot share one symbol, so that tooltips stay reachable on a phone. */
const SLOTS = 40

/** The most important kind names the symbol of a slot. */
const KINDS: readonly MarkKind[] = ['ban', 'update', 'restart']

interface MarkGroup {
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
