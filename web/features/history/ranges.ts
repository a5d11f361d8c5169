/** How far back is looked, as it stands in the address. */
import type { HistoryRange } from '#contract/history.ts'

export const RANGES = [
  { key: '24h', short: '24 h', label: '24 hours' },
  { key: '7d', short: '7 d', label: '7 days' },
  { key: '31d', short: '31 d', label: '31 days' },
  { key: '1y', short: '1 y', label: '1 year' },
] as const satisfies readonly { key: HistoryRange; short: string; label: string }[]

export const USUAL = RANGES[0].key

/** The range named in the address; one that does not exist is the usual one, which the address does not name. */
export function rangeOf(value: unknown): HistoryRange | undefined {
  const range = RANGES.find(({ key }) => key === value)?.key
  return range === USUAL ? undefined : range
}
