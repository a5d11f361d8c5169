export interface ChartLine {
  readonly label: string
  /** One for each step; null is a gap. */
  readonly values: readonly (number | null)[]
  readonly look: 'area' | 'line'
}

export interface ChartData {
  /** The begin of each step, in ms. */
  readonly times: readonly number[]
  readonly stepSeconds: number
  readonly lines: readonly ChartLine[]
  readonly marks?: { readonly label: string; readonly at: readonly boolean[] }
  /** One for each step. */
  readonly remarks?: readonly string[]
}
