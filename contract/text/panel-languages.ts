/** The languages of the panel and of the API's messages, as BCP 47 codes. The first is the default. */
export const PANEL_LANGUAGES = ['en', 'de', 'fr', 'es', 'pt-BR', 'ru', 'pl', 'tr'] as const
export type Language = (typeof PANEL_LANGUAGES)[number]
export const DEFAULT_LANGUAGE = PANEL_LANGUAGES[0]

/** For Intl, in the panel, the public pages and the API's sentences alike: `28 Nov 2026, 20:01`. English is British, as our spelling. */
export const localeOf = (language: Language): string => (language === 'en' ? 'en-GB' : language)
