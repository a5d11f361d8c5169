import { formatNumber } from '#web/lib/format.ts'

/** `2 ms`, `0.3 sec`, `4 min`. */
export function secondsText(seconds: number): string {
  const [value, unit] =
    Math.abs(seconds) < 0.1 ? [seconds * 1000, 'millisecond'] : Math.abs(seconds) < 120 ? [seconds, 'second'] : [seconds / 60, 'minute']
  return formatNumber(value, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: unit === 'second' ? 1 : 0 })
}
