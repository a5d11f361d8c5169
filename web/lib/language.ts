/** The language of this page. */
import { DEFAULT_LANGUAGE, type Language, localeOf, PANEL_LANGUAGES } from '#contract/text/panel-languages.ts'

export const LANGUAGE_COOKIE = 'muster_language'

/** What the visitor has chosen, else the first of the browser's languages that the panel has: `pt-BR` for `pt-PT`. */
export function preferredLanguage(): Language {
  const chosen = readCookie(LANGUAGE_COOKIE)
  const subtagOf = (tag: string) => tag.split('-', 1)[0]
  const accepted = navigator.languages.flatMap((tag) => PANEL_LANGUAGES.filter((language) => subtagOf(language) === subtagOf(tag)))
  return PANEL_LANGUAGES.find((language) => language === chosen) ?? accepted[0] ?? DEFAULT_LANGUAGE
}

export let pageLanguage: Language = globalThis.document === undefined ? DEFAULT_LANGUAGE : preferredLanguage()
export let LOCALE = localeOf(pageLanguage)

/** Outside of a browser, before a page in another language is rendered. */
export function setPageLanguage(language: Language): void {
  pageLanguage = language
  LOCALE = localeOf(language)
}

const YEAR_SECONDS = 31_536_000

function readCookie(name: string): string | undefined {
  const pair = document.cookie.split('; ').find((each) => each.startsWith(`${name}=`))
  return pair?.slice(name.length + 1)
}

/** For choices that the backend reads too. Null removes the cookie. */
export function writeCookie(name: string, value: string | null): void {
  const attributes = `path=/; samesite=lax; max-age=${value === null ? 0 : YEAR_SECONDS}`
  // oxlint-disable-next-line unicorn/no-document-cookie -- Not all browsers have the Cookie Store API.
  document.cookie = `${name}=${value ?? ''}; ${attributes}${location.protocol === 'https:' ? '; secure' : ''}`
}
