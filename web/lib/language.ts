/** The language of this page. The backend chooses it: by the cookie, else by the browser's languages. */
import type { Language } from '#contract/panel-languages.ts'

/** Outside of a browser, the build's (see `buildRenderers`), or English in tests. */
export const pageLanguage = (globalThis.document?.documentElement.lang ?? import.meta.env.PAGE_LANGUAGE ?? 'en') as Language

/** For Intl: the browser's variant of this language, such as `de-AT`. Some browsers add `@posix`, which Intl rejects. */
export const LOCALE =
  navigator.languages.find((tag) => `${tag}-`.startsWith(`${pageLanguage}-`))?.split('@')[0] ??
  (pageLanguage === 'en' ? 'en-GB' : pageLanguage)
