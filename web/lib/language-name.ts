import { m } from '#messages'
import { LOCALE } from './language.ts'

let names: Intl.DisplayNames | undefined

/** `de` -> `German`. @param unknown what to return if the browser does not know the language */
export function languageName(code: string, unknown = code): string {
  if (code === 'all') return m.lib_language_all()
  names ??= new Intl.DisplayNames(LOCALE, { type: 'language', fallback: 'none' })
  try {
    const name = names.of(code)
    if (name === undefined) return unknown
    // Intl returns the form for the middle of a sentence, such as `allemand`.
    return name.charAt(0).toLocaleUpperCase(LOCALE) + name.slice(1)
  } catch {
    return unknown
  }
}
