/** The language of the next page: a cookie, which the backend reads for the public pages. */
import type { Language } from '#contract/text/panel-languages.ts'
import { LANGUAGE_COOKIE, pageLanguage, preferredLanguage, writeCookie } from './language.ts'
import { browserStorage } from './storage.ts'

/** The account's language, as this browser last saw it. */
const KEY = 'muster.language'

/** Each language's own name, for visitors who can't read the current language. */
const NAMES: Readonly<Record<Language, string>> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  'pt-BR': 'Português (Brasil)',
  ru: 'Русский',
  pl: 'Polski',
  tr: 'Türkçe',
}
export const LANGUAGES = (Object.keys(NAMES) as Language[]).map((code) => ({ code, name: NAMES[code] }))

/** Shows the page in this language, without an account. */
export function chooseLanguage(language: Language): void {
  browserStorage.write(KEY, null)
  writeCookie(LANGUAGE_COOKIE, language)
  location.reload()
}

let isOpening = true

/** Follows the account's language; null is the browser's. Reloads only while the page opens: later, the page may have unsaved input. */
export function applyAccountLanguage(language: Language | null): void {
  const mayReload = isOpening
  isOpening = false
  const previous = browserStorage.read(KEY)
  browserStorage.write(KEY, language)
  // A choice on the login page lasts until the account has a language.
  if (language === null && previous === null) return
  writeCookie(LANGUAGE_COOKIE, language)
  // Without cookies, the language does not change.
  if (mayReload && preferredLanguage() !== pageLanguage) location.reload()
}
