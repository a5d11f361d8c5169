export interface ChartLine {
  readonly label: string
  /** One per step; null is a gap. */
  readonly values: readonly (number | null)[]
  readonly type: 'area' | 'line'
}

export interface ChartData {
  /** The start of each step, in ms. */
  readonly times: readonly number[]
  readonly stepSeconds: number
  readonly lines: readonly ChartLine[]
  /** Steps on a faint band. */
  readonly bands?: { readonly label: string; readonly steps: readonly boolean[] }
  /** One per step. */
  readonly remarks?: readonly string[]
}
