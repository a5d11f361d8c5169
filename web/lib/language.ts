/** The language of this page. */
import { DEFAULT_LANGUAGE, type Language, localeOf, PANEL_LANGUAGES } from '#contract/text/panel-languages.ts'
import { readCookie } from './cookies.ts'

export const LANGUAGE_COOKIE = 'muster_language'

/** main.tsx sets it first. The backend sets it for each public page, and their HTML has it in the browser. */
export let pageLanguage = (globalThis.document?.documentElement.lang || DEFAULT_LANGUAGE) as Language
export let LOCALE = localeOf(pageLanguage)

export function setPageLanguage(language: Language): void {
  pageLanguage = language
  LOCALE = localeOf(language)
}

/** The language that the visitor has chosen, else the first of the browser's that the panel has: `pt-BR` for `pt-PT`. */
export function preferredLanguage(): Language {
  const chosen = readCookie(LANGUAGE_COOKIE)
  const subtagOf = (tag: string) => tag.split('-', 1)[0]
  const accepted = navigator.languages.flatMap((tag) => PANEL_LANGUAGES.filter((language) => subtagOf(language) === subtagOf(tag)))
  return PANEL_LANGUAGES.find((language) => language === chosen) ?? accepted[0] ?? DEFAULT_LANGUAGE
}
