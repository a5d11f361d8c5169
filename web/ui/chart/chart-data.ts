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
  readonly marks?: { readonly label: string; readonly at: readonly boolean[] }
  /** One per step. */
  readonly remarks?: readonly string[]
}
