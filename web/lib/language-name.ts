import { m } from '#messages'
import { LOCALE } from './language.ts'

/** By locale: the backend renders public pages in every language. */
const names = new Map<string, Intl.DisplayNames>()

function namesOf(locale: string): Intl.DisplayNames {
  const known = names.get(locale) ?? new Intl.DisplayNames(locale, { type: 'language', fallback: 'none' })
  names.set(locale, known)
  return known
}

/** `de` -> `German`. @param unknown what to return if the browser does not know the language */
export function languageName(code: string, unknown = code): string {
  if (code === 'all') return m.lib_language_all()
  try {
    const name = namesOf(LOCALE).of(code)
    if (name === undefined) return unknown
    // Intl returns the form for the middle of a sentence, such as `allemand`.
    return name.charAt(0).toLocaleUpperCase(LOCALE) + name.slice(1)
  } catch {
    return unknown
  }
}
