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
