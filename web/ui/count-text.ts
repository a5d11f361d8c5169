/** A message that counts something, `3 servers`: the number selects the form, `shown` is the number as text. */
export type CountText = (inputs: { count: number; shown: string }) => string

export function counted(count: number): { count: number; shown: string } {
  return { count, shown: count.toLocaleString('en') }
}
