/** A message like `3 servers`. `count` selects the plural form, `shown` is the formatted number. */
import { formatNumber } from '#web/lib/format.ts'
export type CountText = (inputs: { count: number; shown: string }) => string

export function counted(count: number): { count: number; shown: string } {
  return { count, shown: formatNumber(count) }
}
