/** How far back is looked, as it stands in the address. */
import type { HistoryRange } from '#contract/history.ts'

export const RANGES = [
  { key: '24h', label: '24 h' },
  { key: '7d', label: '7 d' },
  { key: '31d', label: '31 d' },
  { key: '1y', label: '1 y' },
] as const satisfies readonly { key: HistoryRange; label: string }[]

export const USUAL = RANGES[0].key

/** The range named in the address; one that does not exist is the usual one, which the address does not name. */
export function rangeOf(value: unknown): HistoryRange | undefined {
  const range = RANGES.find(({ key }) => key === value)?.key
  return range === USUAL ? undefined : range
}
