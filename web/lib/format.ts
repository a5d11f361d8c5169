/** Numbers in the language of the page. `time.ts` has dates and times. */
import { LOCALE } from './language.ts'

export const formatNumber = (value: number, options?: Intl.NumberFormatOptions): string => value.toLocaleString(LOCALE, options)

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** `31.5 MB`, in decimal units. */
export function sizeText(bytes: number): string {
  const step = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log10(bytes) / 3)))
  const digits = step < 2 ? 0 : 1
  // Intl abbreviates bytes to the singular "byte".
  const unitDisplay = step === 0 ? 'long' : 'short'
  return formatNumber(bytes / 1000 ** step, { style: 'unit', unit: UNITS[step] ?? 'byte', unitDisplay, maximumFractionDigits: digits })
}
