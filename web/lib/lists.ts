/** Lists of texts in the language of the page. */
import { LOCALE } from './language.ts'

/** Made when a list is shown: the first one of a page takes a slow phone 50 ms. */
export const listFormat = () => new Intl.ListFormat(LOCALE)
/** `a, b, and c`. */
export const formatList = (items: readonly string[]): string => listFormat().format(items)

/** Orders texts by the rules of the language, and numbers in them by value: `Server 2` before `Server 10`. */
export const compareTexts = new Intl.Collator(LOCALE, { numeric: true, sensitivity: 'base' }).compare
