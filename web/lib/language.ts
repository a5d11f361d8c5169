/** The language of this page. The backend chooses it: by the cookie, else by the browser's languages. */
import { type Language, localeOf } from '#contract/text/panel-languages.ts'

/** Outside of a browser, the build's (see `buildRenderers`), or English in tests. */
export const pageLanguage = (globalThis.document?.documentElement.lang ?? import.meta.env.PAGE_LANGUAGE ?? 'en') as Language

export const LOCALE = localeOf(pageLanguage)
