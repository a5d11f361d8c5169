/** Numbers and lists in the language of the page. `time.ts` has dates and times. */
import { LOCALE } from './language.ts'

export const formatNumber = (value: number, options?: Intl.NumberFormatOptions): string => value.toLocaleString(LOCALE, options)

export const listFormat = new Intl.ListFormat(LOCALE)
/** `a, b, and c`. */
export const formatList = (items: readonly string[]): string => listFormat.format(items)

/** Orders texts by the rules of the language, and numbers in them by value: `Server 2` before `Server 10`. */
export const compareTexts = new Intl.Collator(LOCALE, { numeric: true, sensitivity: 'base' }).compare
