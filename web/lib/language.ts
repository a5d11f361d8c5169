/** The language of this page. The backend chooses it: by the cookie, else by the browser's languages. */
import type { Language } from '#contract/panel-languages.ts'

/** English outside of a browser, as in tests. */
export const pageLanguage = (globalThis.document?.documentElement.lang ?? 'en') as Language

/** For Intl: the browser's variant of this language, such as `de-AT`. Some browsers add `@posix`, which Intl rejects. */
export const LOCALE =
  navigator.languages.find((tag) => `${tag}-`.startsWith(`${pageLanguage}-`))?.split('@')[0] ??
  (pageLanguage === 'en' ? 'en-GB' : pageLanguage)
