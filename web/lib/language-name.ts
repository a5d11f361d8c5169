import { m } from '#messages'
import { LOCALE } from './language.ts'

let names: Intl.DisplayNames | undefined

/** `de` -> `German`. Returns an unknown code unchanged. */
export function languageName(code: string): string {
  if (code === 'all') return m.lib_language_all()
  names ??= new Intl.DisplayNames(LOCALE, { type: 'language' })
  try {
    const name = names.of(code) ?? code
    // Intl returns the form for the middle of a sentence, such as `allemand`.
    return name.charAt(0).toLocaleUpperCase(LOCALE) + name.slice(1)
  } catch {
    return code
  }
}
