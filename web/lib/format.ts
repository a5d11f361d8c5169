/** Numbers in the language of the page. `time.ts` has dates and times. */
import { LOCALE } from './language.ts'

export const formatNumber = (value: number, options?: Intl.NumberFormatOptions): string => value.toLocaleString(LOCALE, options)
