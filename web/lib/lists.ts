/** Lists of texts in the language of the page. */
import { LOCALE } from './language.ts'

export const listFormat = new Intl.ListFormat(LOCALE)
/** `a, b, and c`. */
export const formatList = (items: readonly string[]): string => listFormat.format(items)

/** Orders texts by the rules of the language, and numbers in them by value: `Server 2` before `Server 10`. */
export const compareTexts = new Intl.Collator(LOCALE, { numeric: true, sensitivity: 'base' }).compare
