/** What a graph is made of. */
export interface ChartLine {
  readonly label: string
  /** One for each step; null is a gap. */
  readonly values: readonly (number | null)[]
  readonly look: 'area' | 'line'
}

export interface ChartData {
  /** When each step begins, in milliseconds. */
  readonly times: readonly number[]
  readonly stepSeconds: number
  readonly lines: readonly ChartLine[]
  /** Steps that stand out. */
  readonly marks?: { readonly label: string; readonly at: readonly boolean[] }
  /** What there is to say of each step beside its numbers. */
  readonly remarks?: readonly string[]
}
