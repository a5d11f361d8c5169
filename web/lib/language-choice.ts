/** The language of the next page: a cookie, which the backend reads. */
import type { Language } from '#contract/text/panel-languages.ts'
import { writeCookie } from './cookies.ts'
import { pageLanguage } from './language.ts'
import { browserStorage, tabStorage } from './storage.ts'

const COOKIE = 'muster_language'
/** In local storage: the account's language, as this browser last saw it. In this tab's storage: the language of the last reload. */
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
// Not PANEL_LANGUAGES, which is part of the panel's code: the login page would load all of it.
export const LANGUAGES = (Object.keys(NAMES) as Language[]).map((code) => ({ code, name: NAMES[code] }))

/** Shows the page in this language, without an account. */
export function chooseLanguage(language: Language): void {
  browserStorage.write(KEY, null)
  writeCookie(COOKIE, language)
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
  writeCookie(COOKIE, language)
  if (language === pageLanguage) tabStorage.write(KEY, null)
  else if (mayReload) reloadOnce(language ?? '')
}

/** At most once for a language, even if the browser or a proxy ignores the cookie. */
function reloadOnce(language: string): void {
  if (tabStorage.read(KEY) === language) return
  tabStorage.write(KEY, language)
  if (tabStorage.read(KEY) === language) location.reload()
}
