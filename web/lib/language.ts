/** The language of this page. The backend chooses it: by the cookie, else by the browser's languages. */
import type { Language } from '#contract/panel-languages.ts'

/** English outside of a browser, as in tests. */
export const pageLanguage = (globalThis.document?.documentElement.lang ?? 'en') as Language

/** For Intl: the browser's kind of this language, such as `de-AT`. */
export const LOCALE = browserVariant() ?? (pageLanguage === 'en' ? 'en-GB' : pageLanguage)

function browserVariant(): string | undefined {
  // Some browsers add `@posix`, which Intl rejects.
  const pattern = new RegExp(`^${pageLanguage}(?:-[A-Z0-9]+)?(?=$|@)`)
  return navigator.languages.flatMap((tag) => pattern.exec(tag)?.[0] ?? [])[0]
}
